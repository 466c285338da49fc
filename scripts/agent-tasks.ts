/**
 * `bun scripts/agent-tasks.ts FOLDER [COUNT]`: publishes every API document below the folder, gives a scripted agent the
 * summaries of some operations as tasks, and says how many it solved, in how many calls and tokens.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../db/open.ts'
import { createService } from '../server/app.ts'
import { ensureLocalTenant } from '../server/tenants/local.ts'
import { importsApi } from '../src/api/imports.ts'
import { specsApi } from '../src/api/specs.ts'
import { solve, type Learned } from '../test/mcp/scripted-agent.ts'

const [folder, count = '3'] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: bun scripts/agent-tasks.ts FOLDER [TASKS FOR EACH DOCUMENT]')
  process.exit(2)
}
const most = { calls: 4, tokens: 12_000 }
const home = mkdtempSync(join(tmpdir(), 'svc-agent-tasks-'))
const db = await openDatabase({ kind: 'sqlite', path: join(home, 'svc.db') })
const local = await ensureLocalTenant(db, Date.now())
const service = createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })
const call = service.callAs(local.ownerId)
const params = { tenant_slug: local.slug }

const specs: string[] = []
for (const path of [...new Bun.Glob('**/*.{json,yaml,yml}').scanSync({ cwd: folder })].sort()) {
  const content = await Bun.file(join(folder, path)).text()
  const slug = `d${specs.length}`
  const source = { kind: 'inline' as const, name: path, content }
  const publishing = { publish: 'private' as const, force: true, force_reason: 'measured, not released' }
  const job = await call(importsApi.create, { params, body: { source, project_slug: slug, ...publishing } })
  const done = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
  if (done.result) {
    specs.push(`${local.slug}/${slug}`)
    console.log(`published ${path} as ${slug}`)
  } else console.log(`refused   ${path}: ${done.error?.message ?? done.status}`)
}

const rows: (Learned & { readonly task: string; readonly wanted: string; readonly solved: boolean })[] = []
for (const spec of specs) {
  const [tenant_slug = '', project_slug = ''] = spec.split('/')
  const place = { params: { tenant_slug, project_slug, version_slug: 'latest' } }
  const { items } = await call(specsApi.operations, { ...place, query: { limit: 200 } })
  // A summary that two operations share is not a task with one answer.
  const unique = items.filter(
    (one) => one.summary !== '' && items.filter((it) => it.summary === one.summary).length === 1,
  )
  const step = Math.max(1, Math.floor(unique.length / Number(count)))
  for (const operation of unique.filter((_, index) => index % step === 0).slice(0, Number(count))) {
    const task = operation.summary.slice(0, 200)
    const learned = await solve(call, task, spec).catch((error: Error) => error)
    if (learned instanceof Error) {
      console.log(`failed    ${spec} ${operation.ref} "${task}": ${learned.message}`)
      continue
    }
    const within = learned.calls <= most.calls && learned.tokens <= most.tokens
    const solved = learned.ref === operation.ref && within
    rows.push({ ...learned, task, wanted: operation.ref, solved })
    if (!solved)
      console.log(
        `not so    ${spec} "${task}": ${learned.ref}, not ${operation.ref}; ${learned.calls} calls, ${learned.tokens} tokens`,
      )
  }
}
const tokens = rows.map((row) => row.tokens).sort((a, b) => a - b)
console.log(
  `${rows.filter((row) => row.solved).length} of ${rows.length} solved in ${most.calls} calls and ${most.tokens} tokens; ` +
    `median ${tokens[Math.floor(tokens.length / 2)] ?? 0} tokens, most ${tokens.at(-1) ?? 0}, ` +
    `most calls ${Math.max(0, ...rows.map((row) => row.calls))}`,
)
await service.stop()
await db.close()
rmSync(home, { recursive: true, force: true })
