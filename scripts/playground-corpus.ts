/**
 * `bun scripts/playground-corpus.ts FOLDER [--browser PROGRAM,PROGRAM] [--svc PROGRAM] [--most MB]` lints every document of a folder in the playground, in headless
 * browsers (Firefox, Chromium) that are installed here, and compares each answer with what `svc lint - --format json` of the executable prints. It writes the documents that
 * differ, how long the first answer and the slowest took, where it stopped if the time was over, and exits with 1 where one differs or is not answered.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openWeb } from '../server/web/serve.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'string', default: 'firefox-esr' },
    svc: { type: 'string', default: join(import.meta.dir, '..', 'dist', 'svc') },
    most: { type: 'string', default: '5' },
  },
})
const folder = resolve(positionals[0] ?? '.')
const svc = resolve(values.svc)
const limitMs = 15 * 60_000

/** What a browser answers for a document: its text, or what was thrown. */
interface Answered {
  readonly name: string
  readonly ms: number
  readonly answer: unknown
}

async function documents(): Promise<string[]> {
  const found = await readdir(folder, { recursive: true })
  const named = found.filter((name) => /\.(ya?ml|json)$/.test(name)).toSorted()
  const sizes = await Promise.all(named.map(async (name) => [name, await stat(join(folder, name))] as const))
  // The largest first: a folder may have thousands of small ones.
  return sizes
    .filter(([, it]) => it.isFile() && it.size <= Number(values.most) * 1_000_000)
    .toSorted(([, one], [, two]) => two.size - one.size)
    .map(([name]) => name)
}

const workspace = await mkdtemp(join(tmpdir(), 'svc-playground-'))
// Deep enough that `../` of a document leads to a folder that may be read, and has nothing: the playground has no folders.
const deep = join(workspace, 'a/b/c/d/e/f/g/h')
await mkdir(deep, { recursive: true })

/** What the executable prints for a text, as a value; null where it prints no report. */
async function printed(text: string): Promise<unknown> {
  const options = ['--format', 'json', '--no-project-file', '--guide', 'svc:recommended', '--root', workspace]
  const child = Bun.spawn([svc, 'lint', '-', ...options], {
    cwd: deep,
    env: { PATH: process.env['PATH'] ?? '', SVC_WORKSPACE: workspace },
    stdin: new TextEncoder().encode(text),
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const output = await new Response(child.stdout).text()
  await child.exited
  return output === '' ? null : (JSON.parse(output) as unknown)
}

// The page that asks: the playground is a frame of it, and each answer goes back to this process.
const asking = `<!doctype html><meta charset="utf-8"><iframe id="it" src="/play"></iframe><script type="module">
const frame = document.getElementById('it')
while (frame.contentDocument?.documentElement?.dataset?.ready !== 'true') await new Promise((next) => setTimeout(next, 20))
for (const name of await (await fetch('/names')).json()) {
  const text = await (await fetch('/document?name=' + encodeURIComponent(name))).text()
  const begun = performance.now()
  const answer = await frame.contentWindow.svcPlayground.lint(text).catch((error) => ({ thrown: String(error.message) }))
  await fetch('/answer', { method: 'POST', body: JSON.stringify({ name, ms: performance.now() - begun, answer }) })
}
await fetch('/answer', { method: 'POST', body: 'null' })
</script>`

const names = await documents()
const known = new Set(names)
const playground = await (await openWeb()).playground()
let answers: Answered[] = []
let finish = (_isDone: boolean): void => {}
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/') return new Response(asking, { headers: { 'content-type': 'text/html' } })
    if (pathname === '/play')
      return new Response(playground, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    if (pathname === '/names') return Response.json(names)
    if (pathname === '/document') {
      const name = searchParams.get('name') ?? ''
      return known.has(name) ? new Response(Bun.file(join(folder, name))) : new Response(null, { status: 404 })
    }
    if (pathname !== '/answer') return new Response(null, { status: 404 })
    const answered = (await request.json()) as Answered | null
    if (answered === null) finish(true)
    else answers.push(answered)
    return new Response('ok')
  },
})

/** What a browser answers, and whether it came to the end. */
async function ask(program: string): Promise<{ readonly answers: readonly Answered[]; readonly isDone: boolean }> {
  const profile = await mkdtemp(join(tmpdir(), 'svc-browser-'))
  const { promise: done, resolve: ended } = Promise.withResolvers<boolean>()
  answers = []
  finish = ended
  const options = program.includes('firefox')
    ? ['--headless', '--no-remote', '--profile', profile]
    : ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, '--remote-debugging-port=0']
  const browser = Bun.spawn([program, ...options, server.url.href], {
    stdout: 'ignore',
    stderr: 'ignore',
    env: { ...process.env, HOME: profile },
    // A browser is several processes, and what is started may be a script: they end as one group.
    detached: true,
  })
  const isDone = await Promise.race([done, Bun.sleep(limitMs).then(() => false)])
  process.kill(-browser.pid, 'SIGKILL')
  await browser.exited
  await rm(profile, { recursive: true, force: true })
  return { answers, isDone }
}

const asked: { readonly program: string; readonly answers: readonly Answered[]; readonly isDone: boolean }[] = []
for (const program of values.browser.split(',')) asked.push({ program, ...(await ask(program)) })
await server.stop(true)

// The executable is asked once about each document, two at a time.
const expected = new Map<string, unknown>()
const open = names.filter((name) => asked.some((it) => it.answers.some((one) => one.name === name)))
const next = async (): Promise<void> => {
  for (let name = open.shift(); name !== undefined; name = open.shift())
    expected.set(name, await printed(await readFile(join(folder, name), 'utf8')))
}
await Promise.all([next(), next()])
await rm(workspace, { recursive: true, force: true })

let areSame = true
for (const { program, answers: given, isDone } of asked) {
  const differing = given.filter(({ name, answer }) => !Bun.deepEquals(answer, expected.get(name)))
  for (const { name } of differing) console.log(`differs  ${name}`)
  if (!isDone) console.log(`stopped  after ${limitMs / 60_000} minutes, at ${names[given.length] ?? 'the last'}`)
  for (const { name, ms } of given.toSorted((one, two) => two.ms - one.ms).slice(0, 3))
    console.log(`slow     ${name}: ${Math.round(ms)} ms`)
  const times = given.map(({ ms }) => Math.round(ms))
  const median = times.toSorted((one, two) => one - two)[Math.floor(times.length / 2)] ?? 0
  console.log(
    `${program}: ${given.length} of ${names.length} documents answered, ${differing.length} differ; first answer ${times[0] ?? 0} ms, median ${median} ms, longest ${Math.max(0, ...times)} ms`,
  )
  areSame &&= isDone && given.length === names.length && differing.length === 0
}
process.exit(areSame ? 0 : 1)
