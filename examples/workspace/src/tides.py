"""Reads the measurements of one day and finds high and low water."""

import csv


def read(path):
    """A list of (time, height in metres), in the order of the file."""
    with open(path, newline="", encoding="utf-8") as file:
        return [(row["time"], float(row["height_m"])) for row in csv.DictReader(file)]


def extremes(readings):
    """Every reading that is higher or lower than both of its neighbours."""
    # TODO: two equal readings in a row are not found
    found = []
    for before, here, after in zip(readings, readings[1:], readings[2:]):
        if before[1] < here[1] > after[1]:
            found.append(("High water", *here))
        if before[1] > here[1] < after[1]:
            found.append(("Low water", *here))
    return found
