import { join } from 'node:path'
import { load } from './load.ts'
import { binary, freshFolder, median, residentMb, type Measurement, startServer, timeCommand } from './measure.ts'

/** An OpenAPI document that renders to about 200 kB. */
function document(): string {
  const schemas = Array.from({ length: 455 }, (_, n) => [
    `Thing${n}`,
    {
      type: 'object',
      description: `The thing number ${n}. `.repeat(8),
      properties: { id: { type: 'string' }, size: { type: 'integer', minimum: n } },
    },
  ])
  const info = { title: 'Things', version: '1.0.0' }
  return JSON.stringify({ openapi: '3.1.0', info, paths: {}, components: { schemas: Object.fromEntries(schemas) } })
}

const rounds = 5
const seconds = 2

/** A rendered document from the cache against nginx, else a static Bun server, with the same bytes. */
export async function serve(): Promise<readonly Measurement[]> {
  const folder = freshFolder('serve')
  const workspace = join(folder, 'workspace')
  await Bun.write(join(folder, 'things.json'), document())
  timeCommand([
    binary,
    '--workspace',
    workspace,
    'import',
    'openapi',
    join(folder, 'things.json'),
    '--publish',
    'public',
  ])
  const service = await startServer([binary, '--workspace', workspace, 'serve', '--port', '0', '--log-level', 'silent'])
  const path = '/v1/schema/local/things/1.0.0'
  const answer = await fetch(service.url + path, { headers: { 'accept-encoding': 'identity' } })
  const body = await answer.text()
  const etag = answer.headers.get('etag') ?? ''
  await Bun.sleep(1000)
  const idle = await residentMb(service.pid)
  await Bun.write(join(folder, 'static', 'document.json'), body)
  const reference = await staticServer(folder)
  const ours: number[] = []
  const theirs: number[] = []
  const unchanged: number[] = []
  const compressed: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push((await load(service.url, path, seconds)).requestsPerSecond)
    theirs.push((await load(reference.url, '/document.json', seconds)).requestsPerSecond)
    compressed.push((await load(service.url, path, seconds, 'Accept-Encoding: gzip\r\n')).requestsPerSecond)
    unchanged.push((await load(service.url, path, 1, `If-None-Match: ${etag}\r\n`)).requestsPerSecond)
  }
  await Promise.all([service.stop(), reference.stop()])
  const referenceName = reference.name
  const kB = Math.round(body.length / 1000)
  return [
    {
      name: `a rendered document of ${kB} kB from the cache`,
      ours: median(ours),
      reference: median(theirs),
      referenceName,
      unit: 'requests/s',
      goal: '≥ 1.0×',
    },
    {
      name: 'the same for a reader that takes gzip (nginx sends it as it is)',
      ours: median(compressed),
      reference: median(theirs),
      referenceName,
      unit: 'requests/s',
      goal: '≥ 1.0×',
    },
    {
      name: '304 on a matching ETag',
      ours: median(unchanged),
      reference: median(theirs),
      referenceName,
      unit: 'requests/s',
      goal: 'faster than the whole',
    },
    {
      name: 'resident memory of svc serve after one document',
      ours: idle,
      reference: 120,
      referenceName: 'the bound',
      unit: 'MB',
      goal: '≤ 120 MB',
    },
  ]
}

async function staticServer(folder: string) {
  const files = join(folder, 'static')
  if (Bun.which('nginx') !== null) {
    const config = join(folder, 'nginx.conf')
    const port = 20_000 + (process.pid % 20_000)
    await Bun.write(
      config,
      `worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log stderr; events { worker_connections 256; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types { application/json json; } server { listen 127.0.0.1:${port}; root ${files}; } }`,
    )
    const child = Bun.spawn(['nginx', '-c', config], { stdout: 'ignore', stderr: 'ignore' })
    await Bun.sleep(500)
    return {
      name: 'nginx',
      url: `http://127.0.0.1:${port}`,
      async stop() {
        child.kill()
        await child.exited
      },
    }
  }
  const source = join(folder, 'static.ts')
  await Bun.write(
    source,
    `const file = await Bun.file(${JSON.stringify(join(files, 'document.json'))}).bytes()
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(file, { headers: { 'content-type': 'application/json' } }) })
console.log('http://127.0.0.1:' + server.port)
`,
  )
  return { name: 'a static Bun server (no nginx here)', ...(await startServer([process.execPath, source])) }
}
