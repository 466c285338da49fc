/** The evaluations of agents: recorded transcripts are made again with the tools, and graded by svc. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { solveByModel } from '../../scripts/evals/drive.ts'
import { readTasks } from '../../scripts/evals/tasks.ts'
import { readTranscripts, replay } from '../../scripts/evals/transcript.ts'
import { Workshop } from '../../scripts/evals/workshop.ts'

const tasks = readTasks()
const transcripts = new Map(readTranscripts().map((it) => [it.task, it]))
let workshop: Workshop
beforeAll(async () => {
  workshop = await Workshop.open([process.execPath, join(import.meta.dir, '../../cli/main.ts')])
}, 60_000)
afterAll(() => workshop.close())

test('there are 45 tasks on published documents, each with a transcript that says who made it', () => {
  expect(tasks.length).toBe(45)
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(45)
  for (const { id } of tasks) {
    const { by, turns = 0, tokens = 0 } = transcripts.get(id) ?? {}
    expect([id, by, turns > 0, tokens > 0]).toEqual([id, 'script', true, true])
  }
  expect(transcripts.size).toBe(45)
})

test('the recorded transcripts do their tasks: nothing breaks, no score falls, and what was asked for is there', async () => {
  for (const task of tasks) {
    const transcript = transcripts.get(task.id)
    if (transcript === undefined) throw new Error(`no transcript of ${task.id}`)
    expect([task.id, await replay(task, transcript, workshop)]).toEqual([task.id, { passed: true, reasons: [] }])
  }
}, 120_000)

test('a task that is not done, or is done by breaking something, is not passed', async () => {
  for (const task of tasks) {
    workshop.begin(task)
    const { passed, reasons } = workshop.grade(task, '')
    expect([task.id, passed, reasons.length]).toEqual([task.id, false, 1])
  }
  const [task] = tasks
  if (task === undefined) throw new Error('no task')
  workshop.begin(task)
  const removed = { file: 'api', edits: [{ path: '/paths/~1pet~1findByStatus/get' }] }
  const asked = JSON.parse((await workshop.call('edit', removed)).text) as { digest: string; not_accepted: string[] }
  await workshop.call('edit', { ...removed, dry_run: false, expected_digest: asked.digest, accept: asked.not_accepted })
  expect(workshop.grade(task, '').reasons.join('; ')).toContain('it may break clients')
}, 60_000)

test('a model behind an interface like that of OpenAI is driven, with its turns and tokens counted', async () => {
  const [task] = tasks
  if (task === undefined) throw new Error('no task')
  const { edits } = task.solution
  const seen: { model: string; messages: { role: string; content: string }[]; tools: object[] }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = (await request.json()) as (typeof seen)[number]
      seen.push(body)
      const last = body.messages.at(-1)?.content ?? ''
      const digest = /"digest":"(sha256:[0-9a-f]+)"/.exec(last)?.[1]
      const asked = { file: 'api', edits, ...(seen.length === 2 ? { dry_run: false, expected_digest: digest } : {}) }
      const call = {
        id: `c${seen.length}`,
        type: 'function',
        function: { name: 'edit', arguments: JSON.stringify(asked) },
      }
      const message =
        seen.length < 3
          ? { role: 'assistant', content: null, tool_calls: [call] }
          : { role: 'assistant', content: 'Done.' }
      return Response.json({ choices: [{ message }], usage: { total_tokens: 100 } })
    },
  })
  const model = { url: `${server.url.href}v1`, key: 'secret', model: 'a-model' }
  const transcript = await solveByModel(task, workshop, model)
  expect(transcript).toMatchObject({ task: task.id, by: 'a-model', turns: 3, tokens: 300, answer: 'Done.' })
  expect(workshop.grade(task, transcript.answer)).toEqual({ passed: true, reasons: [] })
  expect([seen[0]?.model, seen[0]?.tools.length, seen[0]?.messages[1]?.content]).toEqual(['a-model', 6, task.ask])
  await server.stop(true)
}, 60_000)
