"""The command line: one module per family of commands, each a thin layer over `lycosa.app`."""

from __future__ import annotations

import copy
import errno
import io
import os
import stat
import sys
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.main import get_command, get_command_name
from typer.models import CommandInfo

from lycosa.app.wording import printable
from lycosa.face.cli import (
    bed,
    check,
    collection,
    community,
    companion,
    config,
    config_file,
    crawl,
    demo,
    estimate,
    judge,
    judges,
    lab,
    look,
    mcp,
    rounds,
    scope,
    search,
    seeds,
    serve,
    taxonomy,
    words,
)
from lycosa.face.cli.complaints import complaint
from lycosa.face.cli.map import draw_map
from lycosa.system.errors import Interrupted, Refused, SeedsFailed
from lycosa.system.shortage import MEMORY, short_of, shortage

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

app = typer.Typer(
    name="lycosa",
    help="Hunt the Web for pages about a topic, keep them, and explain why each was fetched.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"lycosa {version('lycosa')}")
        raise typer.Exit


@app.callback()
def _main(
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Hunt the Web for pages about a topic, keep them, and explain why each was fetched."""


app.command()(demo.demo)
app.command()(crawl.crawl)
app.command()(crawl.resume)
app.command()(rounds.rounds)
app.command()(judge.judge)
app.command()(estimate.estimate)
app.command()(look.status)
app.command()(look.why)
app.command()(look.strategies)
app.command()(judges.judges)
app.command()(look.export)
app.command()(check.check)
app.command("map")(draw_map)
app.command(context_settings={"ignore_unknown_options": True})(search.search)
app.command()(search.similar)
app.command()(search.hubs)
app.command()(search.votes)
app.command()(search.index)
app.command()(config.config)
app.command()(serve.serve)
app.command()(mcp.mcp)
app.command()(companion.companion)
app.add_typer(bed.app, name="bed")
app.add_typer(lab.app, name="lab")
app.add_typer(scope.app, name="scope")
app.add_typer(collection.app, name="collection")
app.add_typer(taxonomy.app, name="taxonomy")
app.add_typer(seeds.app, name="seeds")
app.add_typer(words.app, name="words")
app.add_typer(community.app, name="community")


def main() -> None:
    """Run the command line; report whatever the user can correct in one line, with exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        command = get_command(_with_only(sys.argv[1:2]))
        config_file.apply(command, sys.argv[1:], tables())
        code = command(standalone_mode=False)
        sys.stdout.flush()
    except Refused as refused:
        code = _complain(complaint(refused, _with_only(sys.argv[1:2]), sys.argv[1:]))
        code = 130 if isinstance(refused, Interrupted) else 1 if isinstance(refused, SeedsFailed) else code
    except typer.TyperException as error:
        # The command line itself was wrong; for a group without a command, Typer shows the usage.
        text = " ".join(error.format_message().split())
        code = _complain(f"{text.rstrip('.')}: see `{_help_for(error)}`") if text else error.exit_code
    except UnicodeEncodeError as error:
        # Bytes of the command line that are not UTF-8 become lone surrogates, which nothing can store.
        code = _complain(f"{error.object[:100]!r} is no text: write it in UTF-8")
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except SystemExit as ended:
        # Typer takes a closed pipe for a failure, but it is none.
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        code = 0
    except BrokenPipeError:
        # The program that read our output has closed it; say nothing more, not even on exit.
        sys.stderr.close()
        code = 0
    except MemoryError:
        code = _complain(str(shortage(MEMORY)))
    except OSError as error:
        code = _complain(_said_of(error))
    sys.exit(code or 0)


def whole_command() -> Any:
    """All commands, as Typer runs them."""
    return get_command(app)


def tables() -> dict[str, list[str]]:
    """The names of the commands, which are those of the tables of lycosa.toml, each with the commands below it."""
    single: dict[str, list[str]] = {_name(each): [] for each in app.registered_commands}
    families = [(str(each.name), each.typer_instance) for each in app.registered_groups]
    return single | {name: _below(inner) for name, inner in families if inner}


def _below(family: typer.Typer) -> list[str]:
    """The commands of a family, first an empty name if the family itself is a command, too."""
    callback = family.registered_callback
    itself = [""] if callback and callback.invoke_without_command is True else []
    deeper = [(each.name, each.typer_instance) for each in family.registered_groups]
    nested = [f"{name} {each}".strip() for name, inner in deeper if inner for each in _below(inner)]
    return itself + [_name(each) for each in family.registered_commands] + nested


def _with_only(names: list[str]) -> typer.Typer:
    """The command line with only the named command: Typer inspects all options of all commands, and that takes time."""
    command = [each for each in app.registered_commands if _name(each) in names]
    family = [each for each in app.registered_groups if each.name in names]
    if not command and not family:
        return app
    narrow = copy.copy(app)
    narrow.registered_commands, narrow.registered_groups = command, family
    return narrow


def _name(command: CommandInfo) -> str:
    return command.name or get_command_name(getattr(command.callback, "__name__", ""))


def _said_of(error: OSError) -> str:
    """What a failed system call means to a person, in one line."""
    why = error.strerror or str(error) or type(error).__name__
    if reason := short_of(error):
        return str(shortage(reason))
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)} cannot be read or written: {why}"
    if error.errno in _NO_ROOM and _is_written_to_a_file():
        # Errors of collections name a file, so this is standard output itself; Python must not flush it again on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return f"the output cannot be written ({why}): send it elsewhere"
    name = errno.errorcode.get(error.errno or 0, type(error).__name__)
    return f"the system refused something ({name}: {why}): try again, and if it happens again report the whole command"


def _is_written_to_a_file() -> bool:
    """Whether the output goes to a file or a device that can be full, not to a terminal or another program."""
    mode = os.fstat(sys.stdout.fileno()).st_mode
    return stat.S_ISREG(mode) or (stat.S_ISCHR(mode) and not sys.stdout.isatty())


def _help_for(error: typer.TyperException) -> str:
    """The command that shows the help of what was typed."""
    names: list[str] = []
    context = getattr(error, "ctx", None)
    while context is not None and context.parent is not None:
        names.insert(0, str(context.info_name))
        context = context.parent
    return " ".join(["lycosa", *names, "--help"])


def _complain(line: str) -> int:
    print(printable(f"lycosa: {' '.join(line.split())}"), file=sys.stderr)
    return 2
