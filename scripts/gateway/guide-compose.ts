/**
 * Does what `docker compose up` would where a guide is followed without Docker: starts the commands of the services of `compose.yaml` on this machine, with
 * their files, folders and variables in the places that the file says, and prints what they wrote. Images are not built: the programs are those of
 * this machine, and the address of each service is that of this machine.
 */
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parse } from 'yaml'

interface Service {
  readonly command: string | readonly string[]
  readonly build?: string
  readonly env_file?: string
  readonly volumes?: readonly string[]
}

const journal = '/run/compose.journal'

function variablesOf(file: string | undefined): Record<string, string> {
  if (file === undefined) return {}
  const lines = readFileSync(file, 'utf8').split('\n')
  return Object.fromEntries(lines.flatMap((line) => (line.includes('=') ? [[...splitOnce(line)]] : [])))
}
const splitOnce = (line: string): readonly [string, string] => {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}

function start(name: string, { command, env_file: file, volumes = [] }: Service): void {
  for (const volume of volumes) {
    const [from = '', to = ''] = volume.split(':')
    mkdirSync(from.startsWith('.') ? dirname(to) : to, { recursive: true })
    if (from.startsWith('.')) copyFileSync(from, to)
  }
  const text = (typeof command === 'string' ? command : command.join(' ')).trim()
  Bun.spawn(['setsid', 'sh', '-c', `exec ${text} >> ${journal} 2>&1`], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    env: { ...process.env, ...variablesOf(file), SVC_WORKSPACE: undefined },
  }).unref()
  appendFileSync(journal, `started the service ${name}\n`)
}

if (!existsSync(journal)) {
  const { services } = parse(readFileSync('compose.yaml', 'utf8')) as { services: Readonly<Record<string, Service>> }
  appendFileSync('/etc/hosts', `127.0.0.1 ${Object.keys(services).join(' ')}\n`)
  // What has an image of its own is not of the guide: the script has a server in its place.
  for (const [name, service] of Object.entries(services)) if (service.build !== undefined) start(name, service)
}
process.stdout.write(readFileSync(journal, 'utf8'))
