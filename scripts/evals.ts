/**
 * Evaluations of agents that design with svc: 45 tasks on published descriptions, graded by svc itself. A task is done where nothing
 * breaks, the score is not lower, and what was asked for is there.
 *
 *   npm run evals                                   replays the recorded transcripts; needs no model
 *   EVALS_URL=http://127.0.0.1:11434/v1 EVALS_MODEL=NAME npm run evals
 *                                                   lets a model work, behind any address that is compatible with OpenAI's
 *   npm run evals -- --only add-field               tasks whose id contains this
 *   npm run evals -- --record                       records the solutions of the scripts, or with EVALS_URL those of the model
 *
 * EVALS_KEY is sent as the bearer token, SVC_BINARY names an executable instead of the sources. The transcripts of this repository
 * were recorded with scripted solutions: they show that the tasks can be done with these tools, and say nothing of any model.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Model, solveByModel } from './evals/drive.ts'
import { readTasks } from './evals/tasks.ts'
import { readTranscripts, replay, solveByScript, type Transcript, transcriptsFile } from './evals/transcript.ts'
import { type Verdict, Workshop } from './evals/workshop.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, record: { type: 'boolean', default: false } },
})
const { EVALS_URL: url, EVALS_MODEL: named, EVALS_KEY: key, SVC_BINARY: binary } = process.env
if (url !== undefined && named === undefined)
  throw new Error('EVALS_URL needs EVALS_MODEL: the name of the model there')
const model: Model | null = url === undefined ? null : { url, key: key ?? null, model: named ?? '' }
const sources = [process.execPath, join(import.meta.dir, '../cli/main.ts')]
const workshop = await Workshop.open(binary === undefined ? sources : [resolve(binary)])
const known = new Map(readTranscripts().map((it) => [it.task, it]))
const done: { readonly transcript: Transcript; readonly verdict: Verdict }[] = []
for (const task of readTasks().filter(({ id }) => id.includes(values.only ?? ''))) {
  const recorded = known.get(task.id)
  if (model === null && !values.record && recorded === undefined)
    throw new Error(`There is no transcript of ${task.id}`)
  const work = async (): Promise<Transcript> => {
    if (model !== null) return solveByModel(task, workshop, model)
    return values.record || recorded === undefined ? solveByScript(task, workshop) : recorded
  }
  const transcript = await work()
  const verdict =
    model === null && !values.record
      ? await replay(task, transcript, workshop)
      : workshop.grade(task, transcript.answer)
  done.push({ transcript, verdict })
  const { turns, tokens, by } = transcript
  const outcome = verdict.passed ? 'passed' : `FAILED: ${verdict.reasons.join('; ')}`
  console.log(`${task.id}  ${by}  ${turns} turns  ${tokens} tokens  ${outcome}`)
}
await workshop.close()
const passed = done.filter(({ verdict }) => verdict.passed)
const sum = (of: (it: Transcript) => number): number => done.reduce((all, { transcript }) => all + of(transcript), 0)
console.log(
  `${passed.length} of ${done.length} tasks done, ${sum((it) => it.turns)} turns, ${sum((it) => it.tokens)} tokens`,
)
if (values.record) {
  const made = new Map([...known, ...done.map(({ transcript }) => [transcript.task, transcript] as const)])
  writeFileSync(transcriptsFile, `${JSON.stringify({ transcripts: [...made.values()] }, null, 1)}\n`)
}
process.exit(passed.length === done.length ? 0 : 1)
