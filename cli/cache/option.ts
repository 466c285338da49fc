/** The option of the commands that keep results. */
export const cacheOption = {
  type: 'boolean',
  default: true,
  env: 'SVC_CACHE',
  summary: 'keep results of unchanged files in the cache folder of the user',
} as const
