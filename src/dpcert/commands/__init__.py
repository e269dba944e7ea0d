"""The commands of `dpcert`, one file each; `dpcert.cli` puts them together."""
