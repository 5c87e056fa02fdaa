"""From a Python function to machine code and back to a call: signatures, compiling, files, loading.

Nothing here imports numba before something has to be compiled, nor llvmlite before something is loaded.
"""
