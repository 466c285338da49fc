/** What a JUnit report of `bun test` says of one file. */
interface FileResult {
  /** The path of the file, relative to the root of the project. */
  readonly file: string
  readonly failures: number
}

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => entities[name] ?? whole)

/**
 * The files of a JUnit report that `bun test` wrote in which tests failed.
 * Takes the text of the report. Returns each file once, in the order of the report, with the number of tests that failed.
 */
export const failedFiles = (report: string): FileResult[] => {
  const failures = new Map<string, number>()
  for (const [tag] of report.matchAll(/<testsuite [^>]*>/g)) {
    const count = Number(attribute(tag, 'failures'))
    const file = attribute(tag, 'file')
    // A `describe` is a suite within the suite of its file, whose count includes it.
    if (count > 0 && !failures.has(file)) failures.set(file, count)
  }
  return [...failures].map(([file, count]) => ({ file, failures: count }))
}

/**
 * The names of the tests that failed in a JUnit report that `bun test` wrote, each as `FILE: NAME`, in the order of the report.
 * Takes the text of the report.
 */
export const failedTests = (report: string): string[] =>
  [...report.matchAll(/(<testcase [^>]*[^/])>\s*<(?:failure|error)/g)].map(
    ([, tag = '']) => `${attribute(tag, 'file')}: ${unescaped(attribute(tag, 'name'))}`,
  )

/**
 * The names of the tests that were skipped in a JUnit report, as `failedTests` has them: `skipIf` is for what a machine may lack, and
 * `test/meta.test.ts` refuses any other way to skip one.
 */
export const skippedTests = (report: string): string[] =>
  [...report.matchAll(/(<testcase [^>]*[^/])>\s*<skipped/g)].map(
    ([, tag = '']) => `${attribute(tag, 'file')}: ${unescaped(attribute(tag, 'name'))}`,
  )

/**
 * The failed files that are run once more, alone: a test that waits for a process, a browser or a clock may fail only because of
 * what runs beside it. None where more than three files failed: then a cause is more likely than the load.
 */
export const filesToRepeat = (failed: readonly FileResult[]): string[] =>
  failed.length <= 3 ? failed.map(({ file }) => file) : []

const slowMs = 5000

/**
 * The files of a list of times that take 5 seconds or more, slowest first, in full seconds: small differences change nothing.
 * @param text the JSON that `bun test --update-timings` writes: `{version, files: {path: milliseconds}}`
 */
export function slowestOf(text: string): string {
  const { version, files } = JSON.parse(text) as { version: number; files: Record<string, number> }
  const slow = Object.entries(files)
    .filter(([, ms]) => ms >= slowMs)
    .map(([path, ms]) => [path, Math.round(ms / 1000) * 1000] as const)
    .toSorted(([, a], [, b]) => b - a)
  return `${JSON.stringify({ version, files: Object.fromEntries(slow) }, null, 2)}\n`
}
