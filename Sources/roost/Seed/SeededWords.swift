/// What made-up people are called and say.
enum SeededWords {
  private static let givenNames = [
    "Ada", "Alan", "Barbara", "Dennis", "Edsger", "Evelyn", "Frances", "Grace", "Hana", "Ivan", "Jean", "Jisoo", "Ken",
    "Leslie", "Margaret", "Minjun", "Noor", "Radia", "Sora", "Tim",
  ]
  private static let familyNames = [
    "Bell", "Choi", "Diaz", "Ek", "Frost", "Gill", "Hale", "Ito", "Jung", "Kim", "Lind", "Moss", "Ness", "Okoye",
    "Park",
    "Quist", "Ray", "Silva", "Tran", "Wolf",
  ]
  private static let words = [
    "again", "almost", "and", "another", "at", "bread", "bring", "bus", "by", "cat", "city", "coffee", "cold", "comes",
    "could", "day", "dog", "door", "evening", "every", "finally", "for", "found", "from", "garden", "good", "green",
    "harbour", "here", "home", "in", "is", "it", "just", "late", "light", "long", "morning", "music", "my", "never",
    "new", "nobody", "of", "old", "on", "over", "quiet", "rain", "read", "river", "slowly", "somebody", "sun", "the",
    "this", "today", "to", "train", "under", "walk", "warm", "with", "yes",
  ]
  private static let wordsRange = 4...24

  static func name(_ dice: inout Dice) -> String {
    "\(givenNames[dice.below(givenNames.count)]) \(familyNames[dice.below(familyNames.count)])"
  }

  static func tweet(_ dice: inout Dice) -> String {
    var text = words[dice.below(words.count)].capitalizedFirst
    for _ in 1..<(wordsRange.lowerBound + dice.below(wordsRange.count)) {
      text += " "
      text += words[dice.below(words.count)]
    }
    return text + "."
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
