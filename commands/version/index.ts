import { lintApi } from '../../src/api/lint.ts'
import { type Gate, VersionRecord, versionsApi, visibilities } from '../../src/api/versions.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { isCalendarDate } from '../../src/kernel/calendar-date.ts'
import { plural } from '../../src/kernel/plural.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { listOptions, pageCounts } from '../../cli/paging.ts'
import { gateTable, versionArguments, versionFacts } from '../../cli/version/facts.ts'
import { versionTable } from '../../cli/version/table.ts'

const readDate = (text: string): string => {
  const time = isCalendarDate(text.slice(0, 10)) && /^.{10}(?:T.*)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new SvcError('usage', { reason: `--sunset must be a date such as 2027-01-31, not "${text}"` })
  return new Date(time).toISOString()
}

export default group({
  summary: 'Manage versions: show, lint, publish, retire',
  commands: {
    list: derive(versionsApi.list, {
      examples: ['svc version list petstore', 'svc version list petstore --status published'],
      arguments: [{ name: 'project', summary: 'id or slug' }],
      options: { status: { summary: 'only versions in this state' }, ...listOptions },
      data: 'items',
      counts: pageCounts,
      text: ({ items }) => (items.length === 0 ? 'No versions.\n' : versionTable(items)),
    }),
    show: derive(versionsApi.get, {
      summary: 'Show a version: state, grade, source and URLs',
      examples: ['svc version show petstore 1.2.0', 'svc version show petstore latest --json'],
      arguments: versionArguments,
      text: versionFacts,
    }),
    operations: derive(versionsApi.operations, {
      summary: 'List the operations of a version in the order of its document',
      examples: [
        'svc version operations petstore latest',
        'svc version operations petstore 1.2.0 --search pets --json',
      ],
      arguments: versionArguments,
      options: {
        search: {
          placeholder: 'TEXT',
          summary: 'only operations whose path, summary or operationId contains TEXT',
          field: 'q',
        },
        ...listOptions,
      },
      data: 'items',
      counts: pageCounts,
      empty: 'No operations.\n',
      columns: {
        METHOD: (it) => it.method,
        PATH: (it) => it.path,
        SUMMARY: (it) => (it.deprecated ? `(deprecated) ${it.summary}` : it.summary),
      },
      more: true,
    }),
    retire: derive(versionsApi.retire, {
      examples: ['svc version retire petstore 1.2.0'],
      arguments: versionArguments,
      text: versionFacts,
    }),
    visibility: derive(versionsApi.update, {
      summary: 'Change who may read a version; works for published versions too',
      description:
        'The documents and the page of a public version need no credentials. Of a version that is not a draft this needs the permission versions:publish.',
      examples: ['svc version visibility petstore 1.2.0 public'],
      arguments: [
        ...versionArguments,
        {
          name: 'who',
          required: true,
          summary: 'public: everyone; private: the organization',
          field: 'visibility',
        },
      ],
      text({ project_slug: slug, label, status, visibility }) {
        const readers = visibility === 'public' ? 'everyone' : 'members of the organization'
        return `${slug}@${label} (${status}) is ${visibility}: ${readers} may read it\n`
      },
    }),
    document: command({
      summary: 'Print the document of a version as it was imported',
      examples: [
        'svc version document petstore latest > openapi.yaml',
        'svc version document petstore 1.2.0 --digest sha256:9f86d081 > before-overlays.yaml',
      ],
      arguments: versionArguments,
      options: {
        digest: {
          type: 'string',
          placeholder: 'SHA256',
          summary:
            'the document before its overlays, or one of the overlays, by the digest that "svc version show" prints',
        },
      },
      isBounded: true,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
        const { digest } = options
        const text =
          digest === undefined
            ? await call(versionsApi.document, { params })
            : await call(versionsApi.lineage, { params: { ...params, digest } })
        const document = parseDocument(new TextDecoder().decode(text), { source: args.version })
        return { data: document.syntax === 'json' ? document.value : document.text, text }
      },
    }),
    lint: command({
      summary: 'Print the lint report of a stored version',
      description:
        'Shows the stored report, made with the style guide of the project. "svc lint FILE" grades a file that is not stored.',
      examples: ['svc version lint petstore latest', 'svc version lint petstore 1.2.0 --json'],
      arguments: [
        { name: 'project', required: true, summary: 'id or slug' },
        { name: 'version', required: true, summary: 'id, label or slug, or "latest"' },
      ],
      options: {},
      envelope: 'findings',
      async run({ args, connection }) {
        const { call, tenant } = await connection()
        const { grade, guide, findings } = await call(lintApi.version, {
          params: { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version },
        })
        const { error, warning, info, hint } = grade.counts
        const lines = findings.map(
          (it) =>
            `${it.source}:${it.range.start.line + 1}:${it.range.start.character + 1} ${it.severity} ${it.code} ${it.message}\n`,
        )
        const mark = grade.grade === null ? 'Nothing to grade' : `Grade ${grade.grade}, ${grade.score} of 100`
        return {
          findings,
          summary: { grade: grade.grade, score: grade.score, counts: grade.counts, guide },
          text: () =>
            `${lines.join('')}${mark} by ${guide}: ${plural(error, 'error')}, ${plural(warning, 'warning')}, ${info} info, ${plural(hint, 'hint')}\n`,
        }
      },
    }),
    delete: command({
      summary: 'Delete a draft; published versions cannot be deleted',
      description: 'You can restore it for 30 days with "svc bin restore".',
      examples: ['svc version delete petstore 1.3.0-rc.1'],
      arguments: versionArguments,
      options: {},
      async run({ args, connection }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
        const { label, project_slug: slug } = await call(versionsApi.get, { params })
        await call(versionsApi.remove, { params })
        return { data: null, text: `Deleted ${args.project}@${args.version}\n${restoreHint(`${slug}@${label}`)}` }
      },
    }),
    deprecate: command({
      summary: 'Mark a published version as deprecated',
      description: 'Its documents are served with the Deprecation header and, if a date is given, the Sunset header.',
      examples: [
        'svc version deprecate petstore 1.2.0 --sunset 2027-01-31 --replacement 2.0.0',
        'svc version deprecate petstore 1.2.0 --withdraw',
      ],
      arguments: versionArguments,
      options: {
        sunset: { type: 'string', placeholder: 'DATE', summary: 'when it stops being served' },
        replacement: { type: 'string', placeholder: 'LABEL', summary: 'the version that replaces it' },
        withdraw: { type: 'boolean', summary: 'take the deprecation back: the version is published again' },
      },
      dataSchema: VersionRecord,
      async run({ args, options, connection, io }) {
        const body = {
          ...(options.sunset === undefined ? {} : { sunset_at: readDate(options.sunset) }),
          ...(options.replacement === undefined ? {} : { replacement: options.replacement }),
        }
        if (body.sunset_at !== undefined && Date.parse(body.sunset_at) < Date.now())
          io.log.warn(`The sunset ${options.sunset} has passed: clients read that the version is no longer served.`)
        const { withdraw: isWithdrawn } = options
        if (isWithdrawn && Object.keys(body).length > 0)
          throw new SvcError('usage', {
            reason: '--withdraw takes the deprecation back: leave out --sunset and --replacement',
          })
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
        if (isWithdrawn) {
          const version = await call(versionsApi.undeprecate, { params })
          return { data: version, text: () => versionFacts(version) }
        }
        const version = await call(versionsApi.deprecate, { params, body })
        return { data: version, text: () => versionFacts(version) }
      },
    }),
    publish: command({
      summary: 'Publish a draft if its gates pass; published content never changes',
      examples: [
        'svc version publish petstore 1.2.0 --visibility public',
        'svc version publish petstore 1.2.0 --dry-run',
      ],
      arguments: versionArguments,
      options: {
        visibility: {
          type: 'string',
          placeholder: 'WHO',
          choices: visibilities,
          summary: 'public: everyone; private: the organization; as the draft has it unless given, at first private',
        },
        force: { type: 'boolean', summary: 'skip the gates that may be skipped; needs --reason' },
        reason: { type: 'string', placeholder: 'TEXT', summary: 'reason for --force, recorded in the audit trail' },
        'expected-digest': {
          type: 'string',
          placeholder: 'SHA256',
          summary: 'publish only if the document has this digest',
        },
        'dry-run': { type: 'boolean', summary: 'evaluate the gates and publish nothing' },
      },
      async run({ args, options, connection, io }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
        if (options['dry-run']) {
          const readiness = await call(versionsApi.readiness, { params })
          return { data: readiness, text: () => gateTable(readiness.gates), exitCode: readiness.ready ? 0 : 3 }
        }
        try {
          const body = {
            ...(options.visibility ? { visibility: options.visibility } : {}),
            ...(options.force ? { force: true } : {}),
            ...(options.reason ? { force_reason: options.reason } : {}),
            ...(options['expected-digest'] ? { expected_digest: options['expected-digest'] } : {}),
          }
          const { version, gates } = await call(versionsApi.publish, { params, body })
          const text = () =>
            `${gateTable(gates)}\nPublished ${version.project_slug}@${version.label} (${version.visibility})\n`
          return { data: { version, gates }, text }
        } catch (error) {
          if (error instanceof SvcError && error.code === 'publish-gates-failed')
            io.log.log(gateTable((error.detail as { gates: readonly Gate[] }).gates))
          if (error instanceof SvcError && error.code === 'version-transition' && options.visibility !== undefined)
            io.log.warn(
              `Run "svc version visibility ${args.project} ${args.version} ${options.visibility}" to change who may read it.`,
            )
          throw error
        }
      },
    }),
  },
})
