"""Files that are complete or not there."""

import errno
import os
import pathlib
import shutil
import tempfile

from .problem import Problem


def why(error: OSError) -> str:
    return {errno.ENOSPC: "no space is left on the device", errno.EDQUOT: "the disk quota is used up",
            errno.EACCES: "permission denied", errno.EROFS: "the file system is read-only"}.get(
                error.errno, (error.strerror or str(error)).lower())


def write_all(folder: pathlib.Path, files: dict) -> None:
    """Writes {relative path: text or bytes} below `folder`, which is made if need be. All are written beside their
    places first, so that what was there stays as it was until everything new is complete."""
    made = first_missing(folder)
    half = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        require_room(folder, files)
        half = pathlib.Path(tempfile.mkdtemp(prefix=".half-written-", dir=folder))
        for name, content in files.items():
            file = half / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(half / name, folder / name)
    except BaseException as error:  # signals too, which command_line.py makes exceptions of
        for folder_of_ours in (half, made):
            if folder_of_ours:
                shutil.rmtree(folder_of_ours, ignore_errors=True)
        if isinstance(error, (FileExistsError, NotADirectoryError)):
            raise Problem(f"{file_in_the_way(folder)} is a file; the pages go into a folder") from None
        if isinstance(error, OSError):
            raise Problem(f"{folder}: the pages cannot be written ({why(error)})") from None
        raise
    shutil.rmtree(half, ignore_errors=True)


def first_missing(folder: pathlib.Path):
    """The outermost of the folders that would have to be made, or None."""
    missing = None
    for candidate in (folder, *folder.parents):
        if candidate.exists() or candidate.is_symlink():
            break
        missing = candidate
    return missing


def file_in_the_way(folder: pathlib.Path):
    return next((p for p in (folder, *folder.parents) if p.exists() and not p.is_dir()), folder)


def require_room(folder: pathlib.Path, files: dict) -> None:
    """Nothing of another kind stands where the files go."""
    for name in files:
        if (folder / name).is_dir():
            raise Problem(f"{folder / name} is a folder; a file has to be written there")
        for parent in pathlib.PurePath(name).parents[:-1]:
            if (folder / parent).exists() and not (folder / parent).is_dir():
                raise Problem(f"{folder / parent} is a file; a folder has to be made there")


def write_if_different(file: pathlib.Path, content) -> bool:
    """Whether it was written: what is the same stays, with its date."""
    data = content if isinstance(content, bytes) else content.encode()
    try:
        if file.read_bytes() == data:
            return False
    except OSError:
        pass
    write_all(file.parent, {file.name: data})
    return True
