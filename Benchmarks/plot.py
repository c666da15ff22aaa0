"""The picture of docs/benchmarks.md."""

import os

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

# Both are told apart by whoever sees few colours, and stand out on white as on black.
COLOURS = {"Roost": "#d1642a", "FastAPI": "#3f7fbf"}
GREY = "#808080"


def draw(series, path):
    """Rates above, the p99 below, over the number of connections, for each call of `peers.measure`."""
    plt.rcParams.update({
        "svg.hashsalt": "roost", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10,
        "text.color": GREY, "axes.labelcolor": GREY, "axes.edgecolor": GREY, "xtick.color": GREY, "ytick.color": GREY})
    figure, axes = plt.subplots(2, len(series), figsize=(4.6 * len(series), 6.2), sharex=True, squeeze=False)
    for column, (call, found) in enumerate(series.items()):
        rates, waits = axes[0][column], axes[1][column]
        for name, points in found["servers"].items():
            connections, rate, p99 = zip(*points)
            rates.plot(connections, rate, "o-", color=COLOURS[name], label=name)
            waits.plot(connections, p99, "o-", color=COLOURS[name], label=name)
        rates.axhline(found["pgbench"], color=GREY, linestyle="--", linewidth=1, label="pgbench, one thread")
        rates.set_title(call)
        waits.set_xlabel("connections")
        waits.set_xscale("log", base=2)
        waits.set_xticks(connections, [f"{number:,}" for number in connections])
        for axis in (rates, waits):
            axis.set_yscale("log")
            axis.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:,.9g}"))
            axis.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
            axis.grid(alpha=0.2)
    axes[0][0].set_ylabel("requests/s")
    axes[1][0].set_ylabel("p99, ms")
    figure.legend(*axes[0][0].get_legend_handles_labels(), frameon=False, loc="upper center", ncols=3, labelcolor=GREY)
    figure.tight_layout(rect=(0, 0, 1, 0.95))
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    figure.savefig(path, transparent=True, metadata={"Date": None})
    plt.close(figure)
