"""The command line: one file per family of commands, each a thin table over the service."""

from __future__ import annotations

import sys

import typer

from lycosa.core.errors import Refused
from lycosa.face.cli import bed, crawl, look

app = typer.Typer(
    name="lycosa",
    help="Hunt the Web for the pages that matter to a topic, keep them, and say why each was fetched.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command()(crawl.crawl)
app.command()(crawl.resume)
app.command()(look.status)
app.command()(look.why)
app.command()(look.strategies)
app.command()(look.export)
app.add_typer(bed.app, name="bed")


def main() -> None:
    """Run, and turn whatever is the user's to mend into one line and exit code 2."""
    try:
        code = app(standalone_mode=False)
    except Refused as refused:
        code = _complain(str(refused))
    except typer.TyperException as error:
        # The command line itself was wrong; Typer shows usage for a bare group.
        text = " ".join(error.format_message().split())
        code = _complain(f"{text.rstrip('.')}: see `lycosa --help`") if text else error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:
        # Whoever read our output has enough; say nothing more, not even on exit.
        sys.stderr.close()
        code = 0
    sys.exit(code or 0)


def _complain(line: str) -> int:
    print(f"lycosa: {line}", file=sys.stderr)
    return 2
