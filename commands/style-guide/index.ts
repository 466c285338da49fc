import type { Output } from '../../src/api/endpoint.ts'
import { PolicyPack } from '../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { readText } from '../../cli/input/named-file.ts'
import { findInPages, listOptions, pageCounts } from '../../cli/paging.ts'
import {
  countOn,
  guideAddress,
  guideArgument,
  guideFacts,
  guideIdArgument,
  guideIdOf,
  policyFacts,
  renderRules,
} from '../../cli/style-guide/shared.ts'
import { renderFacts, renderTable, shortTime } from '../../cli/table.ts'

type Row = Output<typeof styleGuidesApi.impact>['items'][number]

const graded = ({ grade, score }: Row['before']): string =>
  grade === null ? '-' : `${grade} ${Math.round(score ?? 0)}`

export default group({
  summary: 'Manage style guides and publishing policies',
  commands: {
    list: derive(styleGuidesApi.list, {
      summary: 'List the style guides of the organization, the default first',
      examples: ['svc style-guide list', 'svc style-guide list --json'],
      sends: { limit: 200 },
      data: 'items',
      counts: ['total'],
      columns: {
        GUIDE: (it) => it.name,
        KIND: (it) => (it.builtin ? 'builtin' : 'own'),
        DEFAULT: (it) => (it.isDefault ? 'default' : ''),
        'RULES ON': (it) => `${it.rulesOn} of ${it.rulesTotal}`,
        CUSTOM: (it) => String(it.customRules),
        PROJECTS: (it) => String(it.assignments),
      },
    }),
    show: derive(styleGuidesApi.get, {
      summary: 'Show a style guide',
      examples: ['svc style-guide show "API rules"'],
      arguments: [guideIdArgument],
      text: guideFacts,
    }),
    create: derive(styleGuidesApi.create, {
      summary: 'Create a style guide from the recommended rules or from another guide',
      examples: ['svc style-guide create "API rules"', 'svc style-guide create Strict --from spectral:oas'],
      arguments: [{ name: 'name', summary: 'name of the style guide' }],
      options: {
        from: {
          placeholder: 'GUIDE',
          summary: 'the guide whose rules it starts with',
          field: 'sourceGuideId',
          read: guideIdOf,
        },
        description: { placeholder: 'TEXT', summary: 'what it is for' },
      },
      text: guideFacts,
    }),
    update: derive(styleGuidesApi.update, {
      summary: 'Change the name or description of a style guide',
      examples: ['svc style-guide update Strict --name "API rules" --description "Rules for every API"'],
      arguments: [guideIdArgument],
      options: {
        name: { placeholder: 'TEXT', summary: 'the new name' },
        description: { placeholder: 'TEXT', summary: 'what it is for' },
      },
      text: guideFacts,
    }),
    default: derive(styleGuidesApi.makeDefault, {
      examples: ['svc style-guide impact Strict && svc style-guide default Strict'],
      arguments: [guideIdArgument],
      text: guideFacts,
    }),
    assign: derive(styleGuidesApi.assign, {
      summary: 'Assign a style guide to a project',
      examples: ['svc style-guide assign Strict petstore'],
      arguments: [guideIdArgument, { name: 'project', summary: 'id or slug of a project' }],
      text: (_, { args }) => `${args.guide} applies to ${args.project} from its next lint on.\n`,
    }),
    unassign: derive(styleGuidesApi.unassign, {
      summary: 'Remove the style guide of a project; the default applies again',
      examples: ['svc style-guide unassign petstore'],
      arguments: [{ name: 'project', summary: 'id or slug of a project' }],
      text: (done, { args }) =>
        `${args.project} ${done['status'] === 'unchanged' ? 'had no guide of its own' : 'follows the default again'}.\n`,
    }),
    assignment: derive(styleGuidesApi.assignment, {
      summary: 'Show which style guide applies to a project, and why',
      examples: ['svc style-guide assignment petstore'],
      arguments: [{ name: 'project', summary: 'id or slug of a project' }],
      text({ projectSlug, guideName, reason }) {
        const why = reason === 'assignment' ? 'it is assigned to the project' : 'it is the default of the organization'
        return renderFacts([
          ['Project', projectSlug],
          ['Guide', guideName],
          ['Because', why],
        ])
      },
    }),
    assignments: derive(styleGuidesApi.assignments, {
      summary: 'List projects with the style guide that applies to each, and why',
      examples: ['svc style-guide assignments', 'svc style-guide assignments --guide Strict'],
      options: {
        guide: { summary: 'only projects that this guide applies to', read: guideIdOf },
        search: { placeholder: 'TEXT', summary: 'only projects whose name or slug contains TEXT', field: 'q' },
        ...listOptions,
      },
      data: 'items',
      counts: pageCounts,
      empty: 'No projects.\n',
      columns: {
        PROJECT: (it) => it.projectSlug,
        GUIDE: (it) => it.guideName,
        BECAUSE: (it) => (it.reason === 'assignment' ? 'assigned' : 'default of the organization'),
      },
    }),
    packs: derive(styleGuidesApi.policyVersions, {
      summary: 'List the policy packs of a style guide, newest first',
      examples: ['svc style-guide packs Strict'],
      arguments: [guideIdArgument],
      options: listOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'No packs. Keep the guide as it is now: svc style-guide pack GUIDE\n',
      columns: {
        PACK: (it) => String(it.version),
        'RULES ON': (it) => String(it.rulesOn),
        MADE: (it) => shortTime(it.createdAt),
        DIGEST: (it) => it.digest,
      },
    }),
    'custom-rules': command({
      summary: 'Print the custom rules of a style guide, or replace them',
      description: 'Custom rules are a Spectral ruleset in YAML. It may extend builtin rulesets and name their rules.',
      examples: [
        'svc style-guide custom-rules Strict > rules.yaml',
        'svc style-guide custom-rules Strict --set rules.yaml',
        "echo 'rules: {}' | svc style-guide custom-rules Strict --set -",
      ],
      arguments: [guideArgument],
      options: { set: { type: 'string', placeholder: 'FILE', summary: 'the new rules; - reads standard input' } },
      async run({ args, options, connection, cwd, io }) {
        const yaml = options.set === undefined ? null : await readText(options.set, { cwd, io })
        const { call, params } = await guideAddress(connection, args.guide)
        if (yaml === null) {
          const found = await call(styleGuidesApi.customRules, { params })
          return { data: found, text: found.yaml === '' || found.yaml.endsWith('\n') ? found.yaml : `${found.yaml}\n` }
        }
        const saved = await call(styleGuidesApi.putCustomRules, { params, body: { yaml } })
        return { data: saved, text: () => renderRules(saved.rules) }
      },
    }),
    delete: command({
      summary: 'Delete a style guide with its assignments',
      description:
        'Its projects use the default guide again; if it was the default, the recommended guide becomes the default. You can restore it for 30 days with "svc bin restore".',
      examples: ['svc style-guide delete Strict'],
      arguments: [guideArgument],
      options: {},
      async run({ args, connection }) {
        const { call, params } = await guideAddress(connection, args.guide)
        const hint = restoreHint(args.guide)
        const done = await call(styleGuidesApi.remove, { params })
        const next = done['defaultGuideId']
        if (next === undefined) return { data: done, text: `Deleted ${args.guide}.\n${hint}` }
        const { name } = await call(styleGuidesApi.get, { params: { ...params, guide_id: next } })
        return { data: done, text: `Deleted ${args.guide}. The default style guide is now ${name}.\n${hint}` }
      },
    }),
    preview: command({
      summary: 'Test custom rules on a document without saving them',
      examples: [
        'svc style-guide preview Strict rules.yaml --on openapi.yaml',
        'svc style-guide preview Strict rules.yaml --on petstore@1.2.0',
      ],
      arguments: [
        guideArgument,
        { name: 'rules', summary: 'a Spectral ruleset; - reads standard input', required: true },
      ],
      options: {
        on: {
          type: 'string',
          placeholder: 'FILE|PROJECT@VERSION',
          summary: 'the document to test them on',
          required: true,
        },
      },
      envelope: 'findings',
      async run({ args, options, connection, cwd, io }) {
        const yaml = await readText(args.rules, { cwd, io })
        const stored = /^([^@/\\]+)@([^@/\\]+)$/.exec(options.on)
        if (args.rules === '-' && options.on === '-')
          throw new SvcError('usage', { reason: 'Standard input can be read only once: give "-" once' })
        const target =
          stored === null
            ? { content: await readText(options.on, { cwd, io }), name: options.on }
            : { project: stored[1] as string, version: stored[2] as string }
        const { call, params } = await guideAddress(connection, args.guide)
        const found = await call(styleGuidesApi.previewCustomRules, { params, body: { yaml, ...target } })
        const own = new Set(found.rules.map((it) => it.id))
        const told = found.findings.filter((it) => own.has(it.code))
        return {
          findings: found.findings,
          summary: { grade: found.grade, rules: found.rules.length, unmatchedRules: found.unmatchedRules },
          text: () =>
            [
              renderRules(found.rules),
              ...told.map(
                ({ source, range: { start }, severity, code, message }) =>
                  `${source}:${start.line + 1}:${start.character + 1} ${severity} ${code} ${message}\n`,
              ),
              ...found.unmatchedRules.map((id) => `${id}: its "given" matched nothing in this document.\n`),
              `${plural(told.length, 'finding')} of custom rules; grade ${found.grade?.grade ?? '-'} with all rules.\n`,
            ].join(''),
        }
      },
    }),
    impact: command({
      summary: 'Show how grades would change if a style guide applied to every project',
      description: 'Lints the newest version of each project, or every version, under the guide; nothing is stored.',
      examples: ['svc style-guide impact Strict', 'svc style-guide impact Strict --versions all'],
      arguments: [guideArgument],
      options: {
        versions: {
          type: 'string',
          placeholder: 'WHICH',
          choices: ['latest', 'all'],
          default: 'latest',
          summary: 'the newest version of each project, or every one',
        },
        all: { type: 'boolean', summary: 'also versions whose grade does not change' },
      },
      async run({ args, options, connection, io, signal }) {
        const { call, params } = await guideAddress(connection, args.guide)
        const rows: Row[] = []
        const all = options.versions === 'all'
        const count = countOn(io, all ? 'versions' : 'projects')
        for (let offset = 0, total = 1; offset < total && !signal.aborted; offset += 20) {
          const query = { offset, limit: 20, versions: options.versions }
          const page = await call(styleGuidesApi.impact, { params, query })
          rows.push(...page.items)
          ;({ total } = page)
          if (offset + 20 < total) await count.show(offset + 20, total)
        }
        await count.end()
        const shown = options.all ? rows : rows.filter((it) => it.changed)
        const changed = rows.filter((it) => it.changed).length
        return {
          data: shown,
          summary: { [all ? 'versions' : 'projects']: rows.length, changed },
          text: () =>
            (shown.length === 0
              ? ''
              : renderTable(
                  ['PROJECT', 'VERSION', 'NOW', 'THEN'],
                  shown.map((it) => [it.projectSlug, it.label, graded(it.before), graded(it.after)]),
                )) + `${changed} of ${plural(rows.length, all ? 'version' : 'project')} would change grade.\n`,
        }
      },
    }),
    pack: command({
      summary: 'Save a style guide as a policy pack, or show a saved pack',
      description: 'A pack holds rules, custom rules and policy, and never changes.',
      examples: ['svc style-guide pack Strict', 'svc style-guide pack Strict --show 3'],
      arguments: [guideArgument],
      options: { show: { type: 'integer', min: 1, placeholder: 'N', summary: 'number of a saved pack to show' } },
      dataSchema: PolicyPack,
      async run({ args, options, connection }) {
        const { call, params } = await guideAddress(connection, args.guide)
        let id: string | undefined
        if (options.show !== undefined) {
          const found = await findInPages(
            (page) => call(styleGuidesApi.policyVersions, { params, query: page }),
            (it) => it.version === options.show,
          )
          id = found?.id
          if (id === undefined)
            throw new SvcError('policy-version-not-found', { policy_version: String(options.show), guide: args.guide })
        }
        const pack =
          id === undefined
            ? await call(styleGuidesApi.createPolicyVersion, { params })
            : await call(styleGuidesApi.policyVersion, { params: { ...params, policy_version_id: id } })
        return {
          data: pack,
          text: () =>
            renderFacts([
              ['Guide', pack.name],
              ['Pack', String(pack.version)],
              ['Made', shortTime(pack.createdAt)],
              ['Digest', pack.digest],
              ['Rules on', String(pack.rulesOn)],
            ]) +
            (id === undefined
              ? ''
              : `\n${policyFacts(pack.policy)}\n${renderRules(pack.rules.filter((it) => it.enabled))}`),
        }
      },
    }),
  },
})
