/** What the files of a release say about its rules, so that a log record can be read: which refuse, with which status, and the levels. */

export interface RuleFact {
  readonly action: 'block' | 'allow' | 'log'
  readonly status: number | null
}
export interface ReleaseFacts {
  readonly rules: ReadonlyMap<number, RuleFact>
  readonly threshold: number | null
  readonly paranoia: number | null
  readonly detection: number | null
}

const number = (text: string, pattern: RegExp): number | null => {
  const found = pattern.exec(text)
  return found === null ? null : Number(found[1])
}

/** Directives on one line each: a backslash at the end continues a line. */
const directives = (text: string): string[] =>
  text
    .replace(/\\\r?\n\s*/g, '')
    .split(/\r?\n/)
    .map((line) => line.trim())

function factOf(line: string): [number, RuleFact] | null {
  // Actions are the last quoted part; what matches is written before it.
  const actions = /"((?:[^"\\]|\\.)*)"\s*$/.exec(line)?.[1] ?? ''
  const id = number(actions, /(?:^|,)\s*id:'?(\d{1,9})/)
  if (id === null) return null
  const has = (name: string) => new RegExp(`(?:^|,)\\s*${name}(?:,|$|:)`).test(actions)
  const action = has('deny') || has('drop') ? 'block' : has('allow') ? 'allow' : 'log'
  return [id, { action, status: action === 'block' ? (number(actions, /(?:^|,)\s*status:'?(\d{3})/) ?? 403) : null }]
}

/** @param files of a release; those that are not SecLang are skipped */
export function factsOf(files: readonly { readonly path: string; readonly text: string }[]): ReleaseFacts {
  const texts = files.filter(({ path }) => path.endsWith('.conf')).map((it) => it.text)
  const all = texts.join('\n')
  const lines = texts.flatMap(directives).filter((line) => /^Sec(?:Rule|Action)\s/.test(line))
  return {
    rules: new Map(lines.flatMap((line) => [factOf(line)].flatMap((it) => (it === null ? [] : [it])))),
    threshold: number(all, /tx\.inbound_anomaly_score_threshold=(\d{1,6})/),
    paranoia: number(all, /tx\.(?:blocking_)?paranoia_level=([0-4])/),
    detection: number(all, /tx\.(?:detection|executing)_paranoia_level=([0-4])/),
  }
}
