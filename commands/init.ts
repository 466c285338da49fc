import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../cli/declare.ts'
import { readConfigurations } from '../cli/init/configurations.ts'
import { compose, mainRevision, type Composed } from '../cli/init/compose.ts'
import { discover } from '../cli/init/discover.ts'
import { writeOptionFile } from '../cli/output/reports.ts'
import { renderTable } from '../cli/table.ts'
import { SvcError } from '../src/errors.ts'
import { plural } from '../src/kernel/plural.ts'

const names = ['svc.yaml', 'svc.yml']

function textOf({ apis, converted, left }: Composed): string {
  const needsFunctions = converted.some(({ file }) => /\.[cm]?js$/.test(file))
  return [
    `${plural(apis.length, 'API')}:\n`,
    renderTable(
      ['NAME', 'ROOT', 'FORMAT'],
      apis.map((it) => [it.name, it.root, it.format]),
    ),
    converted.length === 0 ? '' : '\nConverted:\n',
    ...converted.map((it) => `  ${it.file}: ${it.what.join(', ')}\n`),
    left.length === 0 ? '' : '\nNot taken over:\n',
    ...left.map((it) => `  ${it.file}: ${it.reason}\n`),
    needsFunctions ? '\nThe guide is a JavaScript program: give --allow-functions to svc lint and svc check.\n' : '',
  ].join('')
}

const next = `
Next:
  svc check                    all gates: findings, grades, changes
  svc lint --write-baseline lint-baseline.json
                               accept what is found today; then set baseline in svc.yaml
  svc schema project-file      every setting of svc.yaml
`

export default command({
  summary: 'Write a svc.yaml from the documents and configurations of a repository',
  description:
    'Finds the OpenAPI, Swagger, Arazzo and MCP documents of the current folder and the configurations of other tools: Spectral rulesets are referred to; redocly.yaml, vacuum.conf.yaml, oasdiff.yaml and buf.yaml are converted, and what has no equivalent is named. Nothing is overwritten without --force.',
  examples: ['svc init', 'svc init --dry-run', 'svc init --force'],
  arguments: [],
  options: {
    'dry-run': { type: 'boolean', summary: 'print the file and write nothing' },
    force: { type: 'boolean', summary: 'replace the svc.yaml that there is' },
  },
  isBounded: true,
  run: async (invocation) => {
    const { options, cwd, signal, io } = invocation
    const present = names.find((it) => existsSync(join(cwd, it)))
    if (present !== undefined && !options.force && !options['dry-run'])
      throw new SvcError('usage', {
        reason: `There is a ${present} already; --force replaces it, --dry-run prints what would be written`,
      })
    const found = await discover(invocation)
    const documents = [...found.apis.map((it) => it.root), ...found.left.map((it) => it.file)]
    const configurations = await readConfigurations(cwd, documents)
    if (found.apis.length === 0 && configurations.every((it) => Object.keys(it.apis).length === 0))
      throw new SvcError('usage', {
        reason: 'No OpenAPI, Swagger, Arazzo or MCP document was found in the current folder or below it',
      })
    const composed = await compose(found, configurations, { folder: cwd, revision: await mainRevision(cwd, signal) })
    const file = present ?? 'svc.yaml'
    const taken = composed.rulesets.find((it) => existsSync(join(cwd, it.file)))
    if (taken !== undefined && !options.force && !options['dry-run'])
      throw new SvcError('usage', { reason: `There is a ${taken.file} already; --force replaces it` })
    const { text, ...data } = composed
    if (options['dry-run']) {
      io.log.info(textOf(composed).trimEnd())
      return { data: { file, written: false, text, ...data }, text }
    }
    for (const it of composed.rulesets) await writeOptionFile(it.file, it.text, cwd)
    await writeOptionFile(file, text, cwd)
    return { data: { file, written: true, text, ...data }, text: `Wrote ${file} with ${textOf(composed)}${next}` }
  },
})
