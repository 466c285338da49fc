/** What was done for a task: the calls of tools in their order, and the last words. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from './tasks.ts'
import type { Verdict, Workshop } from './workshop.ts'

/** One call of a tool. */
export interface RecordedCall {
  readonly tool: string
  readonly arguments: object
}

/** A task that was worked on. */
export interface Transcript {
  readonly task: string
  /** "script": a solution of this repository, which no model wrote; else the name of the model. */
  readonly by: string
  /** Answers of the model: each may have several calls. */
  readonly turns: number
  /** As the interface of the model counts them; for a script four bytes of JSON count as one. */
  readonly tokens: number
  readonly calls: readonly RecordedCall[]
  readonly answer: string
}

/** Where recorded transcripts are. */
export const transcriptsFile = join(import.meta.dir, 'transcripts.json')

export const readTranscripts = (): readonly Transcript[] =>
  (JSON.parse(readFileSync(transcriptsFile, 'utf8')) as { readonly transcripts: readonly Transcript[] }).transcripts

const tokensOf = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4)

/** Solves a task with its script: for each file a dry run, and then the same edit with the digest that it answered. */
export async function solveByScript(task: Task, workshop: Workshop): Promise<Transcript> {
  const { edits, answer } = task.solution
  const calls: RecordedCall[] = []
  let tokens = tokensOf(task.ask) + tokensOf(answer)
  const call = async (args: object): Promise<string> => {
    calls.push({ tool: 'edit', arguments: args })
    const { text } = await workshop.call('edit', args)
    tokens += tokensOf(args) + tokensOf(text)
    return text
  }
  workshop.begin(task)
  for (const [file, own] of Map.groupBy(edits, (it) => it.file ?? 'api')) {
    const asked = { file, edits: own.map(({ path, value }) => (value === undefined ? { path } : { path, value })) }
    const { digest } = JSON.parse(await call(asked)) as { digest?: string }
    await call({ ...asked, dry_run: false, expected_digest: digest })
  }
  return { task: task.id, by: 'script', turns: calls.length + 1, tokens, calls, answer }
}

/** Makes the calls of a transcript again, and grades what they leave. */
export async function replay(task: Task, { calls, answer }: Transcript, workshop: Workshop): Promise<Verdict> {
  workshop.begin(task)
  for (const it of calls) await workshop.call(it.tool, it.arguments)
  return workshop.grade(task, answer)
}
