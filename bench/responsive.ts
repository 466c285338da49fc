/** Whether a server answers at once while it reads, lints and compares what is large. */
import { packedDocument } from './large-document.ts'
import { binary, freshFolder, median, residentMb, type Measurement, startServer } from './measure.ts'
import { signIn } from './queue.ts'

const pollMs = 5

// Asked by a process of its own: this one is busy writing what it sends.
const poller = (url: string): string => `
const times = []
process.on('SIGTERM', () => { console.log(JSON.stringify(times)); process.exit(0) })
for (;;) {
  const begun = performance.now()
  await (await fetch(${JSON.stringify(`${url}/healthz`)})).text()
  times.push(performance.now() - begun)
  await Bun.sleep(${pollMs})
}`

async function importTwice(url: string, token: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  for (const [label, version] of [
    ['1.0.0', '16.0.0'],
    ['2.0.0', '23.0.2'],
  ] as const) {
    const content = await Bun.file(packedDocument(version)).text()
    const body = JSON.stringify({
      version: label,
      publish: 'public',
      force: true,
      force_reason: 'measured',
      source: { kind: 'inline', name: 'api.json', content },
    })
    const begun = await fetch(`${url}/v1/tenants/local/imports`, { method: 'POST', headers, body })
    let job = (await begun.json()) as { job_id: string; finished_at: string | null; status: string }
    while (job.finished_at === null)
      job = (await (await fetch(`${url}/v1/imports/${job.job_id}?wait=20`, { headers })).json()) as typeof job
    if (job.status === 'failed') throw new Error(`the import of ${label} failed`)
  }
}

/** /healthz while two documents of 11 and 13 MB are imported, compared and published. */
export async function responsive(): Promise<readonly Measurement[]> {
  const env = { SVC_WORKSPACE: freshFolder('responsive'), SVC_MCP_HTTP_PORT: '0' }
  const server = await startServer([binary, 'serve', '--port', '0', '--log-level', 'silent'], env)
  try {
    const token = await signIn(env, server.url)
    const child = Bun.spawn([process.execPath, '-e', poller(server.url)], { stdout: 'pipe', stderr: 'inherit' })
    await Bun.sleep(500)
    await importTwice(server.url, token)
    child.kill('SIGTERM')
    const times = (JSON.parse(await new Response(child.stdout).text()) as number[]).toSorted((a, b) => a - b)
    const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
    const row = { reference: 50, referenceName: 'the bound', unit: 'ms' as const, goal: '≤ 50 ms' }
    return [
      { name: `/healthz during imports of 11 and 13 MB, median of ${times.length}`, ours: median(times), ...row },
      { name: 'the same, 99 of 100', ours: at(0.99), ...row },
      { name: 'the same, the slowest', ours: at(1), ...row, goal: 'none' },
      {
        name: 'memory of the server afterwards',
        ours: await residentMb(server.pid),
        reference: 500,
        referenceName: 'what analysing in it took',
        unit: 'MB',
        goal: 'less',
      },
    ]
  } finally {
    await server.stop()
  }
}
