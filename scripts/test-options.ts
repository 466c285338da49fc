/** What `npm test` understands. */

export interface TestOptions {
  /** Parts of the paths of test files; all files where there are none. */
  readonly patterns: readonly string[]
  /** Folders whose tests do not run: the gate leaves out those that have a lane of their own. */
  readonly without: readonly string[]
  /** Everything: both engines everywhere, every page in both appearances, all cases of property tests. */
  readonly isFull: boolean
  /** Only files that import what changed since a commit. */
  readonly since: string | null
  /** The executable that goldens run, relative to the root; the sources where it is null. */
  readonly binary: string | null
  /** Whether the times of slow files are written to `test/timings.json`, which decides about the order of files. */
  readonly isTimed: boolean
}

/**
 * Reads the words after `npm test --`.
 * @throws Error for an option that does not exist
 */
export const readTestOptions = (words: readonly string[]): TestOptions => {
  const options = words.filter((word) => word.startsWith('--'))
  const valueOf = (name: string): string | null =>
    options.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null
  const unknown = options.filter((word) => !/^--(full|affected|times)$|^--(affected|binary|without)=./.test(word))
  if (unknown.length > 0)
    throw new Error(
      `Unknown option ${unknown.join(', ')}. Options: --full (everything that the nightly run tests), --affected[=COMMIT] (tests that import what changed since a commit, by default the last one), --without=FOLDER,FOLDER (leave out the tests of folders), --binary=PATH (run goldens on this executable), --times (write test/timings.json, by which slow files begin first).`,
    )
  return {
    patterns: words.filter((word) => !word.startsWith('--')),
    without: valueOf('without')?.split(',') ?? [],
    isFull: options.includes('--full'),
    since: valueOf('affected') ?? (options.includes('--affected') ? 'HEAD' : null),
    binary: valueOf('binary'),
    isTimed: options.includes('--times'),
  }
}

/** The variables by which tests know what is asked: see `test/fixtures/extent.ts` and `test/golden/run.ts`. */
export const variablesOf = ({ isFull, binary }: TestOptions): Record<string, string> => ({
  ...(isFull ? { TEST_FULL: '1' } : {}),
  ...(binary === null ? {} : { SVC_BINARY: binary }),
})
