import CVips

/// One call of an operation of libvips by its name, as the tests need it to make pictures and to look at them.
struct VipsCall {
  private var operation: UnsafeMutablePointer<VipsOperation>?

  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// `options` in libvips' own form: `Q=90,interlace=true`.
  init(_ name: String, options: String = "") throws {
    _ = Self.isReady
    operation = vips_operation_new(name)
    guard operation != nil else { throw Self.failure(name) }
    guard options.isEmpty || vips_object_set_from_string(object, options) == 0 else { throw Self.failure(name) }
  }

  private static let isReady = roost_vips_start() == 0

  private static func failure(_ name: String) -> Failed {
    defer { vips_error_clear() }
    return Failed(description: "\(name): \(String(cString: vips_error_buffer()))")
  }

  private var object: UnsafeMutablePointer<VipsObject>? {
    UnsafeMutableRawPointer(operation)?.assumingMemoryBound(to: VipsObject.self)
  }

  private var instance: UnsafeMutablePointer<GObject>? {
    UnsafeMutableRawPointer(operation)?.assumingMemoryBound(to: GObject.self)
  }

  func set(_ property: String, image: UnsafeMutablePointer<VipsImage>) {
    var value = GValue()
    g_value_init(&value, vips_image_get_type())
    g_value_set_object(&value, image)
    g_object_set_property(instance, property, &value)
    g_value_unset(&value)
  }

  func set(_ property: String, bytes: [UInt8]) {
    var value = GValue()
    g_value_init(&value, vips_blob_get_type())
    g_value_take_boxed(&value, vips_blob_copy(bytes, bytes.count))
    g_object_set_property(instance, property, &value)
    g_value_unset(&value)
  }

  mutating func run() throws {
    guard vips_cache_operation_buildp(&operation) == 0 else { throw Self.failure("operation") }
  }

  func image(_ property: String) -> UnsafeMutablePointer<VipsImage> {
    var value = GValue()
    g_value_init(&value, vips_image_get_type())
    g_object_get_property(instance, property, &value)
    return g_value_dup_object(&value)!.assumingMemoryBound(to: VipsImage.self)
  }

  func bytes(_ property: String) -> [UInt8] {
    var value = GValue()
    g_value_init(&value, vips_blob_get_type())
    g_object_get_property(instance, property, &value)
    defer { g_value_unset(&value) }
    var count = 0
    let blob = g_value_get_boxed(&value).assumingMemoryBound(to: VipsBlob.self)
    guard let start = vips_blob_get(blob, &count) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
