import Metrics
import Testing

@Suite struct ExpositionTests {
  @Test func `counters and gauges are lines with their labels, escaped`() {
    var page = Exposition()
    page.counter("roost_a_total", "How many.", [(["route": "me", "odd": "a\"b\\c\nd"], 3), ([:], 0)])
    page.gauge("roost_b", "How many now.", [([:], 7)])
    #expect(
      page.text == """
        # HELP roost_a_total How many.
        # TYPE roost_a_total counter
        roost_a_total{route="me",odd="a\\"b\\\\c\\nd"} 3
        roost_a_total 0
        # HELP roost_b How many now.
        # TYPE roost_b gauge
        roost_b 7

        """)
  }

  @Test func `a histogram is cumulative, in seconds, with its sum and count`() {
    let histogram = Histogram()
    for microseconds in [0, 100, 101, 2_500, 60_000_000] { histogram.note(microseconds: microseconds) }
    var page = Exposition()
    page.histogram("roost_c_seconds", "How long.", [([("route", "me")], histogram.snapshot)])
    let lines = page.text.split(separator: "\n").map(String.init)
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="0.0001"} 2"#))
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="0.00025"} 3"#))
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="0.0025"} 4"#))
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="10"} 4"#))
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="+Inf"} 5"#))
    #expect(lines.contains(#"roost_c_seconds_sum{route="me"} 60.002701"#))
    #expect(lines.last == #"roost_c_seconds_count{route="me"} 5"#)
    let twice = histogram.snapshot + histogram.snapshot
    #expect(twice.counts.reduce(0, +) == 10 && twice.sumMicroseconds == 120_005_402)
  }
}
