"""Addresses such as s3://bucket/file, which fsspec opens; packages for their schemes are installed apart."""

from typing import IO, Any

from kerneltron.stream.errors import InputError


def is_address(name: str) -> bool:
    """Return whether a name is an fsspec address such as s3://bucket/file or memory://file."""
    return "://" in name


def open_address(name: str) -> IO[bytes]:
    """Open what is there.

    Raises an InputError that says why it cannot be read: what to install, if a package is missing.
    """
    fsspec = _fsspec(name)
    try:
        file: IO[bytes] = fsspec.open(name, "rb").open()
        return file
    except ImportError as error:
        raise InputError(f"{name}: {_told(error)}{_advice(_scheme(name))}.") from error
    except FileNotFoundError as error:
        only = " Only this process itself could have put one there." if _scheme(name) == "memory" else ""
        raise InputError(f"There is no file {name!r}.{only}") from error
    except IsADirectoryError as error:
        raise InputError(f"{name} is a folder: name files.") from error
    except Exception as error:  # every scheme has a package of its own, and raises what it likes
        if _scheme(name) not in fsspec.available_protocols():
            unknown = f"fsspec does not know {_scheme(name)}://, only schemes such as http, s3 or gs"
            raise InputError(f"{name}: {unknown}.") from error
        raise InputError(f"{name}: cannot be opened ({_told(error)}).") from error


def _scheme(name: str) -> str:
    """Return what stands before the first ://, of the last of several that are chained by ::."""
    return name.split("://", 1)[0].rsplit("::", 1)[-1]


def _told(error: Exception) -> str:
    """Return the message of a package, which may have many lines or none, as one line."""
    text = " ".join(str(getattr(error, "strerror", None) or error).split())
    return text.rstrip(".") or type(error).__name__


def _advice(scheme: str) -> str:
    """Return how to install what fsspec needs for a scheme, nothing where it does not say."""
    extra = {"https": "http", "az": "abfs", "s3a": "s3"}.get(scheme, scheme)
    from importlib import metadata  # 20 ms

    known = metadata.metadata("fsspec").get_all("Provides-Extra") or []
    return f" (pip install 'fsspec[{extra}]')" if extra in known else ""


def _fsspec(name: str) -> Any:
    try:
        import fsspec
    except ImportError as error:
        raise InputError(f"To read {name} install fsspec: pip install 'kerneltron[remote]'.") from error
    return fsspec
