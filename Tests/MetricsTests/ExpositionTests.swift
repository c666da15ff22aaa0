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
    for microseconds in [0, 100, 101, 2_500, 60_000_000] { histogram.note(microseconds) }
    var page = Exposition()
    page.histogram("roost_c_seconds", "How long.", [(["route": "me"], histogram.snapshot)])
    let lines = page.text.split(separator: "\n").map(String.init)
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="0.0001"} 2"#))
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="0.00025"} 3"#))
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="0.0025"} 4"#))
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="10"} 4"#))
    #expect(lines.contains(#"roost_c_seconds_bucket{route="me",le="+Inf"} 5"#))
    #expect(lines.contains(#"roost_c_seconds_sum{route="me"} 60.002701"#))
    #expect(lines.last == #"roost_c_seconds_count{route="me"} 5"#)
    let twice = histogram.snapshot + histogram.snapshot
    #expect(twice.counts.reduce(0, +) == 10 && twice.sum == 120_005_402)
  }

  @Test func `a histogram of how many has powers of two, and whole numbers`() {
    let histogram = Histogram(.counts)
    for depth in [1, 2, 3, 1_024, 1_025] { histogram.note(depth) }
    var page = Exposition()
    page.histogram("roost_d", "How many.", [([:], [histogram.snapshot, Histogram(.counts).snapshot].together)])
    let lines = page.text.split(separator: "\n").map(String.init)
    #expect(lines.contains(#"roost_d_bucket{le="1"} 1"#) && lines.contains(#"roost_d_bucket{le="2"} 2"#))
    #expect(lines.contains(#"roost_d_bucket{le="4"} 3"#) && lines.contains(#"roost_d_bucket{le="1024"} 4"#))
    #expect(lines.contains(#"roost_d_bucket{le="+Inf"} 5"#))
    #expect(lines.suffix(2) == ["roost_d_sum 2055", "roost_d_count 5"])
  }

  @Test func `times are written as seconds, without what would be nought`() {
    var page = Exposition()
    page.counter("roost_e_seconds_total", "Time.", times: [(["route": "me"], 1_500_000), ([:], 20)])
    page.gauge("roost_f_seconds", "A time.", microseconds: 7_000_000)
    page.gauge("roost_g", "One.", 3)
    let lines = page.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(
      lines == [
        #"roost_e_seconds_total{route="me"} 1.5"#, "roost_e_seconds_total 0.00002", "roost_f_seconds 7", "roost_g 3",
      ])
    #expect(page.text.contains("# TYPE roost_e_seconds_total counter") && page.text.contains("# TYPE roost_g gauge"))
  }
}
