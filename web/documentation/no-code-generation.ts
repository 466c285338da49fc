/**
 * Must run before any of the renderer's modules, so it is in the entry that loads them later: its validator tries whether it may generate code, and under a policy that
 * forbids it the mere attempt is reported as a violation. With this setting it does not try.
 */
const settings = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
settings.__zod_globalConfig = { ...settings.__zod_globalConfig, jitless: true }
