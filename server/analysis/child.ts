/** The analysis process: takes orders from its standard input, answers on its standard output, ends with its server. */
import { writeSync } from 'node:fs'
import { SvcError } from '../../src/errors.ts'
import type { Pace } from '../../src/lint/lint.ts'
import { everyRule } from '../guide-rules/door.ts'
import { cacheFills, SizedCache } from '../../src/kernel/sized-cache.ts'
import type { Conclusion } from './analysis.ts'
import { Unanswered } from './desk.ts'
import { Engine } from './engine.ts'
import { materialOf, textKeysOf } from './subject.ts'
import { tasks, type TaskName } from './tasks/registry.ts'
import { frame, Frames, type Answer, type Order, type Question, type Task } from './wire.ts'
import { plural } from '../../src/kernel/plural.ts'

const mostBytes = 64 * 1024 * 1024
// Whatever reads the answer has to parse it while others wait.
const longestAnswer = 24 * 1024 * 1024
// What is written to the database and read again with every comparison has to be smaller.
const longestOf: Partial<Record<TaskName, number>> = { pact: 4 * 1024 * 1024, selection: 4 * 1024 * 1024 }
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

// Who says most of what does not fit into an answer.
const loudest = (value: unknown): string[] => {
  const { findings = [] } = (value as { conclusion?: Partial<Conclusion> }).conclusion ?? {}
  const counts = new Map<string, number>()
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([code, n]) => `${code} (${plural(n, 'finding')})`)
}

const isOurs = (id: string): boolean => Object.hasOwn(everyRule, id)

// Where rules that someone wrote are among those at work, these are what matters.
const suspects = (rules: readonly string[]): readonly string[] => {
  const theirs = rules.filter((it) => !isOurs(it))
  return theirs.length > 0 ? theirs : rules
}

// Written while the task is under way, and so at once: were this process ended, its server would know what it was at.
const tell = (answer: Answer): void => {
  for (const part of frame(answer)) for (let at = 0; at < part.byteLength;) at += writeSync(1, part, at)
}

/** The clock of one task, which stops while its server is asked. */
class Watch {
  readonly #deadlineMs: number
  #end: number
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
    this.#end = performance.now() + deadlineMs
  }
  used(): number {
    return 1 - (this.#end - performance.now()) / this.#deadlineMs
  }
  prolong(ms: number): void {
    this.#end += ms
  }
  pace(): Pace {
    let steps = 0
    let told = performance.now()
    return (rules) => {
      if (++steps % stepsPerLook > 0) return
      const now = performance.now()
      if (now > this.#end) throw new OutOfTime(suspects(rules()))
      if (now - told < tellEveryMs) return
      told = now
      tell({ kind: 'at-work', rules: suspects(rules()) })
    }
  }
}

type Run = (input: unknown, desk: object) => unknown

type Reply = { readonly ok: boolean; readonly bytes: Uint8Array }

class Worker {
  readonly #engine = new Engine()
  readonly #texts = new SizedCache<Uint8Array>(mostBytes, 'analysis_texts')
  // What was sent for the next task is needed there, however large it is.
  #fresh = new Map<string, Uint8Array>()
  #replied: (reply: Reply) => void = () => {}

  put(key: string, bytes: Uint8Array): void {
    this.#fresh.set(key, bytes)
    this.#texts.set(key, bytes, bytes.byteLength)
  }

  reply(reply: Reply): void {
    this.#replied(reply)
  }

  async #ask(question: Question, watch: Watch): Promise<Uint8Array> {
    const asked = performance.now()
    const replied = new Promise<Reply>((resolve) => (this.#replied = resolve))
    tell({ kind: 'question', question })
    const { ok, bytes } = await replied
    watch.prolong(performance.now() - asked)
    if (!ok) throw new Unanswered('unanswered')
    return bytes
  }

  async answer(task: Task, deadlineMs: number): Promise<readonly Uint8Array[]> {
    const fresh = this.#fresh
    const find = (key: string): Uint8Array | undefined => fresh.get(key) ?? this.#texts.get(key)
    const wanted = task.subjects.flatMap(textKeysOf)
    const missing = [...new Set(wanted)].filter((key) => find(key) === undefined)
    if (missing.length > 0) return frame({ kind: 'missing', keys: missing })
    this.#fresh = new Map()
    const bytesOf = (key: string): Uint8Array => find(key) ?? new Uint8Array()
    const watch = new Watch(deadlineMs)
    try {
      const name = task.name as TaskName
      const { run } = (await tasks[name]()) as { readonly run: Run }
      const value = await run(task.input, {
        engine: this.#engine,
        materials: task.subjects.map((it) => materialOf(it, bytesOf)),
        pace: watch.pace(),
        used: () => watch.used(),
        ask: (question: Question) => this.#ask(question, watch),
      })
      // What is expanded may be far larger than what it is made of.
      if (value instanceof Uint8Array && value.byteLength > mostBytes)
        return frame({ kind: 'stopped', reason: 'size', rules: [] })
      return value instanceof Uint8Array
        ? frame({ kind: 'bytes' }, value)
        : encoded(value, longestOf[name] ?? longestAnswer)
    } catch (error) {
      return frame(failure(error))
    }
  }
}

function failure(error: unknown): Answer {
  if (error instanceof OutOfTime) return { kind: 'stopped', reason: 'time', rules: error.rules }
  if (error instanceof SvcError) return { kind: 'refused', code: error.code, detail: error.detail }
  if (error instanceof Unanswered) return { kind: 'unanswered' }
  if (error instanceof RangeError && error.message.includes('call stack'))
    return { kind: 'stopped', reason: 'depth', rules: [] }
  const { message, stack = null } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'fault', message, stack }
}

const encoded = (value: unknown, longest: number): readonly Uint8Array[] => {
  const parts = frame({ kind: 'done', value })
  if (parts.reduce((sum, it) => sum + it.byteLength, 0) <= longest) return parts
  return frame({ kind: 'stopped', reason: 'size', rules: loudest(value) })
}

/** Works until its standard input ends. */
export async function runAnalysisProcess(): Promise<void> {
  const worker = new Worker()
  const out = Bun.stdout.writer()
  const say = async (parts: readonly Uint8Array[]): Promise<void> => {
    for (const part of parts) void out.write(part)
    await out.flush()
  }
  const sayAnswer = async ({ task, deadlineMs }: Extract<Order, { readonly kind: 'task' }>): Promise<void> => {
    const answer = await worker.answer(task, deadlineMs)
    await say([...frame({ kind: 'caches', fills: [...cacheFills()] }), ...answer])
  }
  await say(frame({ kind: 'ready' }))
  const frames = new Frames((json) => JSON.parse(json) as Order)
  // Replies belong to the task under way, so that nothing waits for its end but the task that follows.
  let working: Promise<void> = Promise.resolve()
  for await (const piece of Bun.stdin.stream())
    for (const { header, bytes } of frames.take(piece))
      if (header.kind === 'reply') worker.reply({ ok: header.ok, bytes })
      else if (header.kind === 'text') worker.put(header.key, bytes)
      else working = working.then(() => sayAnswer(header))
  await working
}
