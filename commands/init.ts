import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../cli/declare.ts'
import { agentFiles, type AgentFile } from '../cli/init/agents.ts'
import { readConfigurations } from '../cli/init/configurations.ts'
import { compose, mainRevision, type Composed } from '../cli/init/compose.ts'
import { discover } from '../cli/init/discover.ts'
import { writeOptionFile } from '../cli/output/reports.ts'
import { findProjectFile, type ProjectFile } from '../cli/project-file/find.ts'
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

/** The svc.yaml of a folder, read again. */
async function projectHere(cwd: string): Promise<ProjectFile> {
  const file = await findProjectFile(cwd)
  if (file === null) throw new SvcError('usage', { reason: 'There is no svc.yaml' })
  return file
}

/** Writes what agents read, or with --dry-run prints it. @throws SvcError `usage` for a skill that svc did not write */
async function writeForAgents(
  file: Parameters<typeof agentFiles>[0],
  {
    options,
    cwd,
  }: { readonly options: { readonly force: boolean; readonly 'dry-run': boolean }; readonly cwd: string },
): Promise<{ readonly data: { readonly agents: readonly AgentFile[] }; readonly text: string }> {
  const files = agentFiles(file, options.force)
  const data = { agents: files }
  if (options['dry-run']) return { data, text: files.map((it) => `\n# ${it.file}\n\n${it.text}`).join('') }
  for (const it of files) await writeOptionFile(it.file, it.text, cwd)
  return { data, text: `Wrote ${files.map((it) => it.file).join(' and ')} for agents.\n` }
}

export default command({
  summary: 'Write a svc.yaml from the documents and configurations of a repository',
  description:
    'Finds the OpenAPI, Swagger, Arazzo and MCP documents of the current folder and the configurations of other tools: Spectral rulesets are referred to; redocly.yaml, vacuum.conf.yaml, oasdiff.yaml and buf.yaml are converted, and what has no equivalent is named. Nothing is overwritten without --force. With --agents, AGENTS.md gets a section about it, whatever else it says, and .claude/skills/svc/SKILL.md is written; a svc.yaml that is there is kept.',
  examples: ['svc init', 'svc init --dry-run', 'svc init --force', 'svc init --agents'],
  arguments: [],
  options: {
    'dry-run': { type: 'boolean', summary: 'print the file and write nothing' },
    force: { type: 'boolean', summary: 'replace an existing svc.yaml' },
    agents: {
      type: 'boolean',
      summary: 'also write a section of AGENTS.md and a skill: how agents check, compare, accept and publish here',
    },
  },
  isBounded: true,
  run: async (invocation) => {
    const { options, cwd, signal, io } = invocation
    const present = names.find((it) => existsSync(join(cwd, it)))
    // A repository that has a svc.yaml keeps it, and gets what its agents read.
    if (present !== undefined && options.agents && !options.force)
      return writeForAgents(await projectHere(cwd), invocation)
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
      const apis = composed.apis.map((it) => ({ name: it.name, root: join(cwd, it.root) }))
      const agents = options.agents ? await writeForAgents({ apis, folder: cwd }, invocation) : null
      return { data: { file, written: false, text, ...data, ...agents?.data }, text: `${text}${agents?.text ?? ''}` }
    }
    for (const it of composed.rulesets) await writeOptionFile(it.file, it.text, cwd)
    await writeOptionFile(file, text, cwd)
    const agents = options.agents ? await writeForAgents(await projectHere(cwd), invocation) : null
    return {
      data: { file, written: true, text, ...data, ...agents?.data },
      text: `Wrote ${file} with ${textOf(composed)}${agents === null ? '' : `\n${agents.text}`}${next}`,
    }
  },
})
