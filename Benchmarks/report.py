"""What was measured, as a table to read: medians with the least and the greatest of all rounds."""

from statistics import median


class Line:
    """One thing in all its rounds, beside what it is compared with. A ratio is that of one round."""

    def __init__(self, name, unit, against=None, aim_min=None, aim_max=None, aim_most=None):
        """`aim_min` and `aim_max` bound the ratio, `aim_most` the value itself."""
        self.name, self.unit, self.against = name, unit, against
        self._aim_min, self._aim_max, self._aim_most = aim_min, aim_max, aim_most
        self.ours, self.theirs, self.costs, self.base_costs = [], [], [], []

    def add(self, value, base=None, cost=None, base_cost=None):
        self.ours.append(value)
        if base is not None:
            self.theirs.append(base)
        if cost:
            self.costs.append(cost)
        if base_cost:
            self.base_costs.append(base_cost)

    @property
    def ratios(self):
        return [ours / theirs for ours, theirs in zip(self.ours, self.theirs)]

    @property
    def verdict(self):
        """The aim and whether the median meets it; empty without one."""
        for aim, sign, values in (
            (self._aim_min, "≥", self.ratios),
            (self._aim_max, "≤", self.ratios),
            (self._aim_most, "≤", self.ours),
        ):
            if aim is not None and values:
                middle = median(values)
                is_met = middle >= aim if sign == "≥" else middle <= aim
                unit = f" {self.unit}" if aim is self._aim_most else ""
                return f"{sign} {aim}{unit}: {'met' if is_met else 'missed'}"
        return ""


def number(value):
    """Three digits, and commas."""
    if abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values):
    """`median (least–greatest)`"""
    if not values:
        return ""
    middle = number(median(values))
    return middle if len(values) == 1 else f"{middle} ({number(min(values))}–{number(max(values))})"


def _bound(cost):
    """What keeps a load from being faster, as far as processor time tells."""
    if cost.busy >= 0.9:
        return "all cores busy" if cost.others < 0.15 else "all cores busy, with others' work too"
    # Above one core it is more than the loop's thread that works: those that hash.
    if 0.8 <= cost.server_core <= 1.1:
        return "the server's one thread"
    return f"waiting, {1 - cost.busy:.0%} of the cores idle"


def _middle(costs):
    """The round in the middle, by the server's share."""
    return sorted(costs, key=lambda cost: cost.server + cost.postgres)[len(costs) // 2]


def table(head, rows):
    """A table in Markdown that reads well as plain text too."""
    widths = [max(len(row[column]) for row in [head] + rows) for column in range(len(head))]
    lines = [head, ["-" * width for width in widths]] + rows
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in lines)


def text(lines):
    """Both tables: what came out, and where the processor time went."""
    results = [
        [line.name, f"{spread(line.ours)} {line.unit}", line.against or "", spread(line.theirs), spread(line.ratios),
         line.verdict]
        for line in lines]
    costs = []
    for line in lines:
        for name, measured in ((line.name, line.costs), (f"pgbench of {line.name.split(',')[0]}", line.base_costs)):
            if measured:
                cost = _middle(measured)
                costs.append([
                    name, number(cost.server), number(cost.postgres), number(cost.client),
                    f"{cost.server_core:.0%}", f"{cost.busy:.0%}", f"{cost.others:.0%}", _bound(cost)])
    parts = [table(["what", "measured", "against", "measured", "ratio", "aim"], results)]
    if costs:
        parts += [
            "Processor time of each request in µs, in the middle round. `server at` is its share of one core,\n"
            "`busy` the share of all cores that was in use, `others` the part of it that was none of the three's:",
            table(["what", "server", "PostgreSQL", "client", "server at", "busy", "others", "bound by"], costs),
        ]
    return "\n\n".join(parts)
