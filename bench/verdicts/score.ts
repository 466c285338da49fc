/** What the answers of a tool are worth, by track, and the table of it. */
import { tracks, type Case, type Track } from './case.ts'
import type { Said } from './runners/runner.ts'

export interface Answer {
  readonly said: Said | 'out of time'
  readonly ms: number
  /** Processor time of all threads. */
  readonly cpuMs: number
  readonly mb: number
}

/** How one answer is counted. `open` is any answer to a question without a label. */
export type Mark = 'right' | 'miss' | 'false alarm' | 'undecided' | 'failed' | 'open'

/** The mark of an answer: a miss says "safe" of what breaks or of what cannot be decided. */
export function markOf({ verdict }: Pick<Case, 'verdict'>, { said }: Pick<Answer, 'said'>): Mark {
  if (verdict === 'policy') return 'open'
  if (said === 'failed' || said === 'out of time') return 'failed'
  if (verdict === 'undecidable') return said === 'safe' ? 'miss' : 'right'
  if (said === 'undecided') return 'undecided'
  if (said === verdict) return 'right'
  return verdict === 'breaking' ? 'miss' : 'false alarm'
}

export interface TrackScore {
  readonly asked: number
  readonly misses: number
  readonly falseAlarms: number
  readonly undecided: number
  readonly failed: number
  readonly open: number
  readonly medianMs: number
  readonly worstMs: number
  readonly medianCpuMs: number
  readonly peakMb: number
}

export interface ToolScore {
  readonly tool: string
  readonly version: string
  readonly tracks: Partial<Record<Track | 'all', TrackScore>>
  /** The cases that were not right, by mark. */
  readonly lost: Readonly<Record<'miss' | 'false alarm' | 'undecided' | 'failed', readonly string[]>>
  /** What it answers to questions of policy. */
  readonly policy: Readonly<Record<string, number>>
}

export type Answered = readonly (readonly [Case, Answer])[]

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const largest = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), 0)

function trackScore(answered: Answered): TrackScore {
  const marks = answered.map(([made, answer]) => markOf(made, answer))
  const count = (mark: Mark) => marks.filter((one) => one === mark).length
  const times = answered.map(([, { ms }]) => ms)
  return {
    asked: answered.length,
    misses: count('miss'),
    falseAlarms: count('false alarm'),
    undecided: count('undecided'),
    failed: count('failed'),
    open: count('open'),
    medianMs: Math.round(median(times)),
    worstMs: Math.round(largest(times)),
    medianCpuMs: Math.round(median(answered.map(([, { cpuMs }]) => cpuMs))),
    peakMb: Math.round(largest(answered.map(([, { mb }]) => mb))),
  }
}

/** The score of a tool over all cases that it was asked. */
export function toolScore(tool: string, version: string, answered: Answered): ToolScore {
  const lostAs = (mark: Mark) =>
    answered.filter(([made, answer]) => markOf(made, answer) === mark).map(([{ track, id }]) => `${track}/${id}`)
  const policy: Record<string, number> = {}
  for (const [made, { said }] of answered) if (made.verdict === 'policy') policy[said] = (policy[said] ?? 0) + 1
  const byTrack = tracks.flatMap((track) => {
    const own = answered.filter(([made]) => made.track === track)
    return own.length === 0 ? [] : [[track, trackScore(own)] as const]
  })
  return {
    tool,
    version,
    tracks: Object.fromEntries([...byTrack, ['all', trackScore(answered)] as const]),
    lost: {
      miss: lostAs('miss'),
      'false alarm': lostAs('false alarm'),
      undecided: lostAs('undecided'),
      failed: lostAs('failed'),
    },
    policy,
  }
}

const columns = [
  'track',
  'tool',
  'cases',
  'misses',
  'false alarms',
  'undecided',
  'failed',
  'median ms',
  'worst ms',
  'CPU ms',
  'peak MB',
]

/** The table of all scores: by track, and in each the tool with the fewest misses first, then with the fewest false alarms. */
export function tableOf(scores: readonly ToolScore[]): string {
  const rows = [...tracks, 'all' as const].flatMap((track) =>
    scores
      .flatMap(({ tool, tracks: own }) => (own[track] === undefined ? [] : [{ tool, score: own[track] }]))
      .sort(
        ({ score: one }, { score: two }) =>
          one.misses - two.misses || one.falseAlarms - two.falseAlarms || one.undecided - two.undecided,
      )
      .map(({ tool, score }) => [
        track,
        tool,
        score.asked,
        score.misses,
        score.falseAlarms,
        score.undecided,
        score.failed,
        score.medianMs,
        score.worstMs,
        score.medianCpuMs,
        score.peakMb,
      ]),
  )
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}
