"""docs/reference/command-line.md names every command and option that there is, with its default, and no other."""

import re
from pathlib import Path

import click
import pytest

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.cli import COMMANDS, cli
from dpcert.targets.catalogue import MECHANISMS, ZOO

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/reference/command-line.md").read_text()
OPTION = re.compile(r"^\| `(--[a-z-]+)[^`]*` \|([^|]*)\|", re.MULTILINE)
SHARED = re.compile(r"^As of `dpcert audit`: ([^.]*)\.$", re.MULTILINE)


def section(text: str, command: str) -> str:
    """Return what a page says under the heading of a command."""
    found = re.search(rf"^## dpcert {command}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def described(text: str) -> dict[str, str]:
    """Return the options of a section with their defaults: of its table, and those that are as of `dpcert audit`."""
    shared = {name for names in SHARED.findall(text) for name in re.findall(r"`(--[a-z-]+)`", names)}
    here = {name: default.strip().strip("`") for name, default in OPTION.findall(text)}
    return here | {name: described(section(PAGE, "audit"))[name] for name in shared}


def command(name: str) -> click.Command:
    """Return a command of the group."""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def offered(command: click.Command) -> dict[str, object]:
    """Return the options of a command with their defaults, where these are shown."""
    context = click.Context(command, help_option_names=["-h", "--help"])
    options = [option for option in command.get_params(context) if isinstance(option, click.Option)]
    return {
        name: option.default if option.show_default else None
        for option in options
        for name in option.opts
        if name.startswith("--") and name != "--help"  # the page says once that each command has it
    }


def test_every_command_has_a_section() -> None:
    assert set(re.findall(r"^## dpcert (\w+)$", PAGE, re.MULTILINE)) == COMMANDS.keys()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_is_described_with_its_default(name: str) -> None:
    there, here = offered(command(name)), described(section(PAGE, name))
    assert here.keys() == there.keys()
    for option, default in there.items():
        if default is not None and not isinstance(default, bool):
            assert here[option] == f"{default:g}" if isinstance(default, float) else str(default), option


def test_every_option_of_the_group_is_named() -> None:
    assert [option for option in offered(cli) if f"`dpcert {option}`" not in PAGE] == []


def test_every_relation_is_named() -> None:
    row = re.search(r"^\| `--neighbours NAME` .*$", PAGE, re.MULTILINE)
    assert row
    assert re.findall(r"`([\w-]+)`", row[0]) == list(RELATIONS)


def test_every_status_of_the_help_is_in_the_page() -> None:
    for found, text in ((command("audit"), PAGE), (command("recheck"), section(PAGE, "recheck"))):
        words = f"{found.help} {found.epilog}"
        statuses = re.findall(r"\b\d+\b", words[words.index("Exit status:") :])
        assert statuses
        assert [status for status in statuses if f"| {status} |" not in text] == []


@pytest.mark.parametrize("mechanism", [*MECHANISMS, *ZOO], ids=lambda mechanism: mechanism.name)
def test_every_mechanism_is_described(mechanism: object) -> None:
    name = getattr(mechanism, "name", "")
    assert name
    if mechanism in ZOO:
        assert f"| `{name}` |" in (ROOT / "docs/reference/zoo.md").read_text()
    else:
        assert f"## {name}\n" in (ROOT / "docs/reference/mechanisms.md").read_text()


def test_caught_an_option_that_is_not_described() -> None:
    assert described("| `--json` | | text |\n| `--jobs INTEGER` | `1` | more |\n") == {
        "--json": "",
        "--jobs": "1",
    }
    assert described("As of `dpcert audit`: `--time-limit`,\n`--eager`.\n") == {"--time-limit": "30", "--eager": ""}
    assert section("## dpcert a\none\n## dpcert b\ntwo\n", "a") == "one\n"
    assert section("## dpcert a\n", "b") == ""
