"""Writes the report of one day as text."""

import json
import sys

import tides


def main(config_path):
    with open(config_path, encoding="utf-8") as file:
        config = json.load(file)
    readings = tides.read(config["readings"])
    lines = [f"Tide report for {config['station']}", ""]
    for kind, time, height in tides.extremes(readings):
        # TODO: say WARNING only once a day
        warning = "   WARNING" if height > config["warn_above_m"] else ""
        lines.append(f"{kind:<12} {time[11:]}   {height:.2f} m{warning}")
    with open(config["report"], "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
