"""What workers of our own run as they start: Ctrl-C is for the client, which then ends them."""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
