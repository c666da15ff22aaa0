#ifndef ROOST_CVIPS_H
#define ROOST_CVIPS_H

#include <vips/vips.h>

/* Swift cannot call variadic C: each of these is one call of such a function. Pictures are as libvips counts its
 * references: what comes back in `out` is the caller's, to be given up with roost_vips_release. */

static inline void roost_vips_say_nothing(
    const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  (void)domain; (void)level; (void)message; (void)data;
}

/* Once, before anything else. 0: libvips is ready, decodes with one thread, and knows no loader but those of the formats
 * that are taken, not even when one of them was to ask for another. */
static inline int roost_vips_start(void) {
  if (vips_init("roost") != 0) return -1;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  /* Warnings about pictures would go to standard error, and quote them. */
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG, roost_vips_say_nothing, NULL);
#if VIPS_MAJOR_VERSION > 8 || VIPS_MINOR_VERSION >= 13
  vips_block_untrusted_set(TRUE);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  vips_operation_block_set("VipsForeignLoadJpeg", FALSE);
  vips_operation_block_set("VipsForeignLoadPng", FALSE);
  vips_operation_block_set("VipsForeignLoadWebp", FALSE);
  vips_operation_block_set("VipsForeignLoadNsgif", FALSE);
  vips_operation_block_set("VipsForeignLoadHeif", FALSE);
#endif
  return 0;
}

static inline int roost_vips_has(const char *operation) {
  return vips_type_find("VipsOperation", operation) != 0;
}

/* The loaders read the header, and the rest when its pixels are asked for; `bytes` must stay until then. Of an animation
 * the first picture. */

static inline int roost_vips_jpeg(const void *bytes, size_t count, int shrink, VipsImage **out) {
  return vips_jpegload_buffer((void *)bytes, count, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
      VIPS_FAIL_ON_ERROR, "shrink", shrink, NULL);
}

static inline int roost_vips_png(const void *bytes, size_t count, VipsImage **out) {
  return vips_pngload_buffer(
      (void *)bytes, count, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

static inline int roost_vips_webp(const void *bytes, size_t count, VipsImage **out) {
  return vips_webpload_buffer(
      (void *)bytes, count, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

static inline int roost_vips_gif(const void *bytes, size_t count, VipsImage **out) {
  return vips_gifload_buffer(
      (void *)bytes, count, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

static inline int roost_vips_heif(const void *bytes, size_t count, VipsImage **out) {
  return vips_heifload_buffer(
      (void *)bytes, count, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

/* Turned as its EXIF orientation says, shrunk to fit into a square of `side` pixels, its colours brought to sRGB if it
 * says by a profile which they are. Without one they are sRGB already, and a way through a profile would shift them. */
static inline int roost_vips_thumbnail(VipsImage *in, int side, VipsImage **out) {
  if (!vips_image_get_typeof(in, VIPS_META_ICC_NAME))
    return vips_thumbnail_image(in, out, side, "height", side, "size", VIPS_SIZE_DOWN, NULL);
  return vips_thumbnail_image(in, out, side, "height", side, "size", VIPS_SIZE_DOWN, "export_profile", "srgb", NULL);
}

/* Three bands of eight bits, whatever it had. */
static inline int roost_vips_srgb(VipsImage *in, VipsImage **out) {
  VipsImage *colours = NULL;
  if (vips_colourspace(in, &colours, VIPS_INTERPRETATION_sRGB, NULL) != 0) return -1;
  int status = vips_cast_uchar(colours, out, NULL);
  g_object_unref(colours);
  return status;
}

/* Without its alpha band, on white. */
static inline int roost_vips_flatten(VipsImage *in, VipsImage **out) {
  VipsArrayDouble *white = vips_array_double_newv(3, 255.0, 255.0, 255.0);
  int status = vips_flatten(in, out, "background", white, NULL);
  vips_area_unref(VIPS_AREA(white));
  return status;
}

/* As JPEG without any metadata; `bytes` is to be freed with g_free. */
static inline int roost_vips_write_jpeg(VipsImage *in, int quality, void **bytes, size_t *count) {
  return vips_jpegsave_buffer(in, bytes, count, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

static inline void roost_vips_release(VipsImage *image) { g_object_unref(image); }

/* Ends the work on a picture, and on all that is made of it, once it has taken `seconds`, which must stay. */
static inline void roost_vips_on_progress(VipsImage *image, VipsProgress *progress, gpointer seconds) {
  (void)progress;
  if (g_get_monotonic_time() >= *(const gint64 *)seconds) vips_image_set_kill(image, TRUE);
}

static inline void roost_vips_end_at(VipsImage *image, const gint64 *microseconds) {
  vips_image_set_progress(image, TRUE);
  g_signal_connect_data(image, "eval", G_CALLBACK(roost_vips_on_progress), (gpointer)microseconds, NULL, (GConnectFlags)0);
}

#endif
