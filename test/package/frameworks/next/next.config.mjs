export default {
  // The test compiles the page with the compiler of this repository.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  // It is built once, and writing the cache takes half of the time.
  experimental: { turbopackFileSystemCacheForBuild: false },
};
