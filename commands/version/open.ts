import { Type } from '@sinclair/typebox'
import { versionsApi } from '../../src/api/versions.ts'
import { loadConfig } from '../../cli/configuration.ts'
import { command, type Invocation } from '../../cli/declare.ts'
import { versionArguments } from '../../cli/version/facts.ts'

/** Opens an address in the browser of the person. */

type Env = Readonly<Record<string, string | undefined>>

const opener = (url: string, env: Env): readonly string[] => {
  if (env.BROWSER !== undefined && env.BROWSER !== '') return [env.BROWSER, url]
  if (process.platform === 'darwin') return ['open', url]
  // "start" takes its first quoted argument for a title.
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '', url.replaceAll('&', '^&')]
  return ['xdg-open', url]
}

/** Whether a browser was started: `$BROWSER`, else what the platform has for it. */
async function openBrowser(url: string, env: Env): Promise<boolean> {
  try {
    const child = Bun.spawn([...opener(url, env)], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    // A browser in the foreground stays; an opener that fails does so at once.
    const code = await Promise.race([child.exited, Bun.sleep(2000).then(() => 0)])
    child.unref()
    return code === 0
  } catch {
    return false
  }
}

const answers = async (origin: string): Promise<boolean> => {
  try {
    const { ok } = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(1000), redirect: 'manual' })
    return ok
  } catch {
    return false
  }
}

/** Where people reach the service: --base-url, else the address that "svc serve" has on this machine. */
function originOf({ globals, env, cwd }: Pick<Invocation, 'globals' | 'env' | 'cwd'>): string {
  if (globals.baseUrl !== undefined) return globals.baseUrl.replace(/\/+$/, '')
  const { values } = loadConfig({ globals, env, cwd })
  if (values.publicUrl) return values.publicUrl.replace(/\/+$/, '')
  const host = values.host === '0.0.0.0' || values.host === '::' ? '127.0.0.1' : values.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${values.port}`
}

export default command({
  summary: 'Open the documentation page of a version in the browser',
  description:
    'Prints the URL and opens it if standard output is a terminal. The page is served by the service of --base-url, or by "svc serve" on this machine.',
  examples: ['svc version open petstore latest', 'svc version open petstore 1.2.0 --print'],
  arguments: versionArguments,
  options: { print: { type: 'boolean', summary: 'only print the URL' } },
  dataSchema: Type.Object({ url: Type.String(), opened: Type.Boolean() }),
  async run(invocation) {
    const { args, options, connection, io, env, globals } = invocation
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const { urls, visibility, status } = await call(versionsApi.get, { params })
    const origin = originOf(invocation)
    const url = /^https?:/.test(urls.page) ? urls.page : `${origin}${urls.page}`
    if (options.print) return { data: { url, opened: false }, text: `${url}\n` }
    if (!(await answers(new URL(url).origin))) {
      io.log.warn(
        `Nothing answers at ${new URL(url).origin}. Start the service with "svc serve", then open the address.`,
      )
      return { data: { url, opened: false }, text: `${url}\n`, exitCode: 1 }
    }
    const wanted = !globals.json && io.isTerminal
    const opened = wanted && (await openBrowser(url, env))
    if (wanted && !opened) io.log.warn('No browser could be started; open the URL yourself.')
    if (visibility === 'private' || status === 'draft')
      io.log.warn('The version is not public: sign in to the application in that browser first.')
    return { data: { url, opened }, text: `${url}\n` }
  },
})
