/// Finds the word that somebody probably meant.
enum Suggestion {
  /// The candidate nearest to `word`, when it is near enough to be a slip: at most a third of the letters differ.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    let ranked = candidates.map { (word: $0, distance: distance(word, $0)) }.filter { $0.distance <= allowed }
    return ranked.min { $0.distance < $1.distance }?.word
  }

  /// How many letters to insert, drop, replace or swap with their neighbour (optimal string alignment).
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left), right = Array(right)
    var rows = [Array(0...right.count)]
    for (i, letter) in left.enumerated() {
      var row = [i + 1]
      for (j, other) in right.enumerated() {
        var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
