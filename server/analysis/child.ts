/** The analysis process: takes orders from its standard input, answers on its standard output, ends with its server. */
import { writeSync } from 'node:fs'
import type { Pace } from '../../src/lint/lint.ts'
import { everyRule, findBuiltin } from '../style-guides/builtin.ts'
import { lintGuideOf, readBuiltin, readRules } from '../style-guides/rules.ts'
import { SizedCache } from '../sized-cache.ts'
import { Engine } from './engine.ts'
import type { LintGuide, RuleSource } from './guide.ts'
import type { Subject, Verdict } from './analysis.ts'
import { frame, Frames, type Answer, type GuideSource, type Named, type Order, type Task } from './wire.ts'
import { plural } from '../../src/plural.ts'

const mostCharacters = 64 * 1024 * 1024
const mostGuideCharacters = 4 * 1024 * 1024
const longestAnswer = 64 * 1024 * 1024
// The clock is looked at once for so many steps.
const stepsPerLook = 512
const tellEveryMs = 250

class OutOfTime extends Error {
  readonly rules: readonly string[]
  constructor(rules: readonly string[]) {
    super('out of time')
    this.rules = rules
  }
}

const builtins = new Map<string, LintGuide>()

// Rules are read, and their paths compiled, once for the same content.
const own = new SizedCache<LintGuide>(mostGuideCharacters)

async function ownGuide({ id, name }: GuideSource, source: RuleSource): Promise<LintGuide> {
  const rules = await readRules(source)
  let known = own.get(rules.digest)
  if (known === undefined) {
    known = lintGuideOf(id, name, rules)
    own.set(rules.digest, known, source.customRules.length + 10_000)
  }
  return known
}

async function guideOf(asked: GuideSource): Promise<LintGuide> {
  const { id, name, source } = asked
  if (source !== null) return ownGuide(asked, source)
  let known = builtins.get(id)
  if (known === undefined) {
    const builtin = findBuiltin(id)
    if (builtin === null) throw new Error(`there is no builtin guide ${id}`)
    builtins.set(id, (known = lintGuideOf(id, name, readBuiltin(builtin))))
  }
  return known
}

// Who says most of what does not fit into an answer.
const loudest = ({ findings }: Verdict): string[] => {
  const counts = new Map<string, number>()
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([code, n]) => `${code} (${plural(n, 'finding')})`)
}

const isOurs = (id: string): boolean => Object.hasOwn(everyRule, id)

// Where rules that somebody wrote are among those at work, these are what matters.
const suspects = (rules: readonly string[]): readonly string[] => {
  const theirs = rules.filter((it) => !isOurs(it))
  return theirs.length > 0 ? theirs : rules
}

// Told while the task is under way, and so at once: were this process ended, its server would know what it was at.
const tell = (rules: readonly string[]): void => {
  for (const part of frame({ kind: 'at-work', rules })) writeSync(1, part)
}

function paceUntil(end: number): Pace {
  let steps = 0
  let told = performance.now()
  return (rules) => {
    if (++steps % stepsPerLook > 0) return
    const now = performance.now()
    if (now > end) throw new OutOfTime(suspects(rules()))
    if (now - told < tellEveryMs) return
    told = now
    tell(suspects(rules()))
  }
}

class Desk {
  readonly #engine = new Engine()
  readonly #texts = new SizedCache<string>(mostCharacters)
  #fresh: Subject | null = null

  put(subject: Named, text: string): void {
    const whole = { ...subject, text }
    // What was sent last is needed next, however large it is.
    this.#fresh = whole
    this.#texts.set(subject.key, text, text.length)
  }

  #find(subject: Named): Subject | null {
    const text = this.#fresh?.key === subject.key ? this.#fresh.text : this.#texts.get(subject.key)
    return text === undefined ? null : { ...subject, text }
  }

  async answer(task: Task, deadlineMs: number): Promise<Answer> {
    const pace = paceUntil(performance.now() + deadlineMs)
    const named = task.kind === 'compare' ? [task.base, task.head] : [task.subject]
    const subjects = named.map((it) => this.#find(it))
    const [first, second] = subjects
    if (!first || second === null)
      return { kind: 'missing', keys: named.filter((_, at) => subjects[at] === null).map((it) => it.key) }
    try {
      if (task.kind === 'look') return { kind: 'looked', ...this.#engine.look(first, await guideOf(task.guide), pace) }
      if (task.kind === 'open') return { kind: 'opened', opened: this.#engine.open(first) }
      return { kind: 'compared', result: this.#engine.compare(first, second ?? first, task.options) }
    } catch (error) {
      if (error instanceof OutOfTime) return { kind: 'stopped', reason: 'time', rules: error.rules }
      return {
        kind: 'fault',
        message: error instanceof Error ? error.message : String(error),
        stack: error instanceof Error ? (error.stack ?? null) : null,
      }
    }
  }
}

const encoded = (answer: Answer): readonly Uint8Array[] => {
  const parts = frame(answer)
  if (answer.kind !== 'looked' || parts.reduce((sum, it) => sum + it.byteLength, 0) <= longestAnswer) return parts
  return frame({ kind: 'stopped', reason: 'size', rules: loudest(answer.verdict) })
}

/** Works until its standard input ends. */
export async function runAnalysisProcess(): Promise<void> {
  const desk = new Desk()
  const out = Bun.stdout.writer()
  const say = async (answer: Answer): Promise<void> => {
    for (const part of encoded(answer)) void out.write(part)
    await out.flush()
  }
  await say({ kind: 'ready' })
  const frames = new Frames((json) => JSON.parse(json) as Order)
  for await (const piece of Bun.stdin.stream())
    for (const { header, text } of frames.take(piece))
      if (header.kind === 'text') desk.put(header.subject, text)
      else await say(await desk.answer(header.task, header.deadlineMs))
}
