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
  /** The paranoia level of rules of the rule set: ModSecurity leaves out the tags of some rules in its log. */
  readonly levels: ReadonlyMap<number, number>
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
  const passed = has('allow') ? 'allow' : 'log'
  const action = has('deny') || has('drop') ? 'block' : passed
  return [id, { action, status: action === 'block' ? (number(actions, /(?:^|,)\s*status:'?(\d{3})/) ?? 403) : null }]
}

/** The folders outside of a release whose files it includes: those of the rule set on the machine. */
export const includedFolders = (entry: string): string[] =>
  [...entry.matchAll(/^Include (\/\S+)\/\*\.conf$/gm)].flatMap(([, folder]) => folder ?? [])

/** The levels of rules, by the tags after their numbers. */
function levelsIn(texts: readonly string[]): Map<number, number> {
  const levels = new Map<number, number>()
  for (const text of texts) {
    const parts = text.split(/\bid:'?(9\d{5})\b/)
    for (let at = 1; at + 1 < parts.length; at += 2) {
      const level = number(parts[at + 1] ?? '', /paranoia-level\/([1-4])\b/)
      if (level !== null) levels.set(Number(parts[at]), level)
    }
  }
  return levels
}

/**
 * @param files of a release; those that are not SecLang are skipped
 * @param ruleSet texts of the rule set on the machine, as far as the release includes it
 */
export function factsOf(
  files: readonly { readonly path: string; readonly text: string }[],
  ruleSet: readonly string[] = [],
): ReleaseFacts {
  const texts = files.filter(({ path }) => path.endsWith('.conf')).map((it) => it.text)
  const all = texts.join('\n')
  const lines = texts.flatMap(directives).filter((line) => /^Sec(?:Rule|Action)\s/.test(line))
  return {
    rules: new Map(lines.flatMap((line) => [factOf(line)].flatMap((it) => (it === null ? [] : [it])))),
    threshold: number(all, /tx\.inbound_anomaly_score_threshold=(\d{1,6})/),
    paranoia: number(all, /tx\.(?:blocking_)?paranoia_level=([0-4])/),
    detection: number(all, /tx\.(?:detection|executing)_paranoia_level=([0-4])/),
    levels: levelsIn(ruleSet),
  }
}
