/** What `svc git install` registers with git, and how git calls it. */
import { join } from 'node:path'

/** The name of the drivers in attributes and in the configuration of git. */
export const driverName = 'svc'

/** The files whose merges and differences git asks svc for; it leaves to git what is no API description. */
export const driverPatterns = ['*.yaml', '*.yml', '*.json'] as const

const quoted = (text: string): string =>
  /^[\w./:\\-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** This program as a shell of git starts it: the executable, or from the sources what runs them. */
export function programWords(): readonly string[] {
  const isCompiled = import.meta.dir.startsWith('/$bunfs') || import.meta.dir.startsWith('B:\\~BUN')
  const words = isCompiled ? [process.execPath] : [process.execPath, 'run', join(import.meta.dir, '..', 'main.ts')]
  return words.map((it) => it.replaceAll('\\', '/'))
}

/** The settings of git, each with its value (gitattributes(5), "Defining a custom merge driver" and "… external diff driver"). */
export function driverSettings(program: readonly string[]): readonly (readonly [key: string, value: string])[] {
  const start = program.map(quoted).join(' ')
  return [
    [`merge.${driverName}.name`, 'API descriptions by what they mean (svc)'],
    [`merge.${driverName}.driver`, `${start} git merge-driver %O %A %B %L %P`],
    // Where git merges two bases with each other, by lines: nobody reads marks there.
    [`merge.${driverName}.recursive`, 'text'],
    [`diff.${driverName}.command`, `${start} git diff-driver`],
  ]
}

const begin = '# begin of svc git install'
const end = '# end of svc git install'

/** The lines of an attributes file without those of svc. */
export function withoutDrivers(attributes: string): string {
  const from = attributes.indexOf(begin)
  const to = attributes.indexOf(end)
  if (from < 0 || to < from) return attributes
  return attributes.slice(0, from) + attributes.slice(to + end.length).replace(/^\r?\n/, '')
}

/** An attributes file with the lines of svc ahead of its own, which go before them. */
export function withDrivers(attributes: string): string {
  const own = withoutDrivers(attributes)
  const lines = driverPatterns.map((it) => `${it} merge=${driverName} diff=${driverName}`)
  return `${[begin, ...lines, end].join('\n')}\n${own}`
}
