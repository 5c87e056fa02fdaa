"""How learners are trained: one trainer, over batches from wherever examples come."""
