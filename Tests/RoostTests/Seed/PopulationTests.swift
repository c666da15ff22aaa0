import Testing

@testable import roost

@Suite struct PopulationTests {
  private func population(_ flags: [String: String]) throws -> Population { try Population(SeedPlan(flags)) }

  private static let flags = [
    "--accounts": "2000", "--tweets": "20000", "--follows": "30000", "--likes": "10000", "--viewers": "0,7,500",
    "--quiet-viewers": "300",
  ]

  private func sum(_ numbers: [Int32]) -> Int { numbers.reduce(0) { $0 + Int($1) } }

  @Test func `there are as many of each as were asked for, and each pair once`() throws {
    let population = try population(Self.flags)
    #expect(population.plan.people == 2_004)
    #expect(sum(Array(population.followingCounts[..<2_000])) == 30_000)
    #expect(Array(population.followingCounts[2_000...]) == [0, 7, 500, 300])
    #expect(population.authors.count == 20_000 && sum(population.tweetCounts) == 20_000)
    #expect(sum(population.likeCounts) == 10_000)
    var followers = [Int32](repeating: 0, count: 2_004)
    for person in 0..<2_004 {
      let followees = population.followees(of: person)
      #expect(followees.count == Int(population.followingCounts[person]))
      #expect(Set(followees).count == followees.count && !followees.contains(Int32(person)))
      for followee in followees { followers[Int(followee)] += 1 }
    }
    #expect(followers == population.followerCounts)
    #expect(followers[2_000...] == [0, 0, 0, 0], "viewers are followed by nobody")
    for tweet in 0..<20_000 {
      let likers = population.likers(of: tweet)
      #expect(likers.count == Int(population.likeCounts[tweet]) && Set(likers).count == likers.count)
    }
  }

  @Test func `all may follow all, and all like all`() throws {
    let population = try population(
      ["--accounts": "6", "--tweets": "4", "--follows": "30", "--likes": "24", "--viewers": "6"])
    #expect(population.followerCounts == [6, 6, 6, 6, 6, 6, 0])
    #expect(population.likeCounts == [6, 6, 6, 6])
    for person in 0..<7 { #expect(Set(population.followees(of: person)) == Set(0..<6).subtracting([Int32(person)])) }
  }

  @Test func `few are followed by many, and many never tweet`() throws {
    let population = try population(Self.flags)
    let followers = population.followerCounts.sorted(by: >)
    #expect(Int(followers[0]) > 15 * 30_000 / 2_000 && followers[1_000] < 15)
    let silent = population.tweetCounts[..<2_000].count { $0 == 0 }
    #expect((700...1_200).contains(silent))
    #expect(population.tweetCounts.max()! > 100)
  }

  @Test func `quiet viewers follow nobody who tweeted after the first quarter`() throws {
    let population = try population(Self.flags)
    let late = Set(population.authors[5_000...])
    let quiet = population.followees(of: 2_003)
    #expect(quiet.count == 300 && late.intersection(quiet) == [])
    #expect(!Set(population.authors[..<5_000]).isDisjoint(with: quiet), "some tweeted long ago")
  }

  @Test func `the same seed draws the same, another one something else`() throws {
    func draw(_ seed: String) throws -> [[Int32]] {
      let population = try population(Self.flags.merging(["--seed": seed]) { $1 })
      return [
        population.authors, population.followerCounts, population.likeCounts, population.followees(of: 1),
        population.likers(of: 1),
      ]
    }
    let first = try draw("7")
    #expect(try draw("7") == first)
    let other = try draw("8")
    for (index, drawn) in other.enumerated() where index < 3 { #expect(drawn != first[index]) }
  }

  @Test func `a database may be empty`() throws {
    let population = try population(["--accounts": "0"])
    #expect(population.plan.people == 0 && population.authors.isEmpty)
  }

  @Test(arguments: [
    (["--accounts": "x"], "--accounts"), (["--accounts": "-1"], "--accounts"), (["--accounts": "10000001"], "10000000"),
    (["--accounts": "3", "--follows": "7"], "from 0 to 6"), (["--accounts": "0", "--tweets": "1"], "from 0 to 0"),
    (["--accounts": "2", "--tweets": "3", "--likes": "7"], "from 0 to 6"), (["--viewers": "1,,2"], "--viewers"),
    (["--viewers": "5,5"], "different"), (["--viewers": "1001"], "1000"), (["--viewers": "1 000"], "--viewers"),
    (["--quiet-viewers": "900"], "are quiet"), (["--seed": "1.5"], "--seed"),
  ])
  func `numbers that cannot be are explained`(flags: [String: String], words: String) {
    let trouble = #expect(throws: SeedPlan.Trouble.self) { try population(flags) }
    #expect(trouble?.text.contains(words) == true, "\(trouble?.text ?? "")")
  }

  @Test func `what is not said follows from the number of accounts`() throws {
    let plan = try SeedPlan(["--accounts": "1_0"])
    #expect(plan.accounts == 10 && plan.tweets == 100 && plan.follows == 90 && plan.likes == 200)
    #expect(try SeedPlan([:]).tweets == 10_000)
  }

  @Test func `low ranks come up as Zipf found`() {
    var dice = Dice(seed: 1)
    let skew = Skew(100, exponent: 0.8)
    var counts = [Int](repeating: 0, count: 100)
    for _ in 0..<100_000 { counts[skew.rank(&dice)] += 1 }
    #expect(counts.allSatisfy { $0 > 0 })
    #expect((5.0...8.0).contains(Double(counts[0]) / Double(counts[9])), "10 to the 0.8 is 6.3")
    let fair = Skew(100, exponent: 0)
    counts = [Int](repeating: 0, count: 100)
    for _ in 0..<100_000 { counts[fair.rank(&dice)] += 1 }
    #expect(counts.min()! > 800 && counts.max()! < 1_200)
  }
}
