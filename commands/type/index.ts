import {
  PrimitiveImpact,
  type PrimitiveImpactJob,
  PrimitiveSuggestions,
} from '../../src/api/primitive-impact-shapes.ts'
import {
  PrimitiveImportResult,
  PrimitiveReview,
  PrimitiveUsage,
  ResolvedPrimitive,
} from '../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { readText } from '../../cli/input/named-file.ts'
import { renderFacts, renderTable } from '../../cli/table.ts'
import { impactText, schemaIn } from '../../cli/type/impact.ts'
import { applySuggestions, harmless, linkedText } from '../../cli/type/link.ts'
import {
  findType,
  importText,
  pathArgument,
  reviewRequest,
  reviewText,
  typeGitOptions,
  typeImportOptions,
  typeRequest,
} from '../../cli/type/shared.ts'
import { versionArguments } from '../../cli/version/facts.ts'

const readTarget = (text: string): 'latest' | number => {
  if (text === 'latest') return text
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new SvcError('usage', { reason: `--to must be "latest" or a revision such as 3, not "${text}".` })
}

const { namespace, kind, select, 'include-root': includeRoot } = typeImportOptions

const verdicts = ['unknown', 'breaking'] as const

export default group({
  summary: 'Manage the types that API descriptions share',
  commands: {
    repin: derive(primitivesApi.repin, {
      examples: [
        'svc type repin shop 1.4.0',
        'svc type repin shop 1.4.0 --type core/Money --label 1.5.0',
        'svc type repin shop 1.4.0 --type acme/money/Price --to 3',
      ],
      arguments: versionArguments,
      options: {
        type: {
          type: 'string',
          placeholder: 'TYPE',
          multiple: true,
          summary: 'move this type only; may be repeated (default: all)',
          field: 'primitives',
        },
        to: {
          type: 'string',
          placeholder: 'REVISION',
          default: 'latest',
          summary: 'revision of the type, or latest',
          read: readTarget,
        },
        label: { summary: 'label of the draft (default: the next patch version)' },
      },
      text({ version, moved, comparison: { changes, counts } }) {
        const types = moved.map(({ ref, from, to, direct }) => [
          ref,
          from === null ? 'new' : `${from} to ${to}`,
          direct ? '' : 'through other types',
        ])
        const rows = changes.map((it) => [it.severity, it.operations[0] ?? '', it.message])
        return (
          `${renderTable(['TYPE', 'REVISION', ''], types)}\n${renderTable(['SEVERITY', 'OPERATION', 'CHANGE'], rows)}` +
          `${counts.breaking} breaking, ${counts.non_breaking} non-breaking, ${counts.docs_only} documentation only.\n` +
          `Created the draft ${version.project_slug}@${version.label}\n`
        )
      },
    }),
    show: command({
      summary: 'Show a type and its schema',
      examples: ['svc type show core/Money', 'svc type show acme/money/Money@2 --json'],
      arguments: [{ name: 'type', required: true, summary: 'reference, with @REVISION for an earlier one, or id' }],
      options: {},
      dataSchema: ResolvedPrimitive,
      async run({ args, connection }) {
        const { call, tenant } = await connection()
        const found = { fragment: '', ...(await findType(call, await tenant(), args.type)) }
        const { primitive: it, revision, schema } = found
        const refs = it.refs.map(({ target, resolved }) => (resolved ? target : `${target} (cannot be resolved)`))
        return {
          data: found,
          text: () =>
            `${renderFacts([
              ['Type', it.ref],
              ['Scope', it.scope],
              ['About', it.description === '' ? null : it.description],
              ['Category', it.category],
              ['Tags', it.tags.length === 0 ? null : it.tags.join(', ')],
              ['Revision', revision === it.revision ? String(revision) : `${revision} of ${it.revision}`],
              ['Draft', it.draft],
              ['$id', it.schema_id],
              ['Refers to', refs.length === 0 ? null : refs.join(', ')],
              ['Deprecated', it.deprecated === null ? null : it.deprecated.message],
            ])}\n${JSON.stringify(schema, null, 2)}\n`,
        }
      },
    }),
    review: command({
      summary: 'Show which types of a source are new, identical or in conflict; nothing is stored',
      examples: [
        'svc type review money.schema.json --namespace acme/money',
        'svc type review schemas/money.json --repo git@github.com:acme/types.git',
      ],
      arguments: [pathArgument],
      options: { namespace, kind, select, 'include-root': includeRoot, ...typeGitOptions },
      dataSchema: PrimitiveReview,
      async run(invocation) {
        const { args, options, connection } = invocation
        const { call, tenant } = await connection()
        const slug = await tenant()
        const body = await typeRequest(args.path, options, {}, { ...invocation, call, tenant: slug })
        const answer = await call(primitivesApi.review, { params: { tenant_slug: slug }, body: reviewRequest(body) })
        return { data: answer, text: () => reviewText(answer) }
      },
    }),
    import: command({
      summary: 'Import the types of a JSON Schema, an OpenAPI description or a bundle, all or none',
      examples: [
        'svc type import money.schema.json --namespace acme/money',
        'svc type import openapi.yaml --kind openapi --select Order --select Customer',
        'svc type import types.yaml --kind type-def-bundle --resolve Money=rename:OldMoney',
        'svc type import schemas/money.json --repo https://github.com/acme/types.git --ref v2',
        'svc type import schemas/money.json --repository-id 0199f3c8-6a1e-7cc2-9c4a-5d3c1e5b7f10',
      ],
      arguments: [pathArgument],
      options: { ...typeImportOptions, ...typeGitOptions },
      dataSchema: PrimitiveImportResult,
      async run(invocation) {
        const { args, options, connection } = invocation
        const { call, tenant } = await connection()
        const slug = await tenant()
        const body = await typeRequest(args.path, options, {}, { ...invocation, call, tenant: slug })
        const answer = await call(primitivesApi.import, { params: { tenant_slug: slug }, body })
        return { data: answer, text: () => importText(answer) }
      },
    }),
    usage: command({
      summary: 'List the types and published versions that refer to a type',
      examples: ['svc type usage core/Money --depth 3'],
      arguments: [{ name: 'type', required: true, summary: 'reference or id' }],
      options: {
        depth: {
          type: 'integer',
          placeholder: 'N',
          default: 1,
          min: 1,
          max: 32,
          summary: 'how many references to follow',
        },
      },
      dataSchema: PrimitiveUsage,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const slug = await tenant()
        const { primitive } = await findType(call, slug, args.type)
        const params = { tenant_slug: slug, primitive_id: primitive.id }
        const usage = await call(primitivesApi.usage, { params, query: { depth: options.depth } })
        const rows = usage.primitives.map(({ ref, depth, pointers }) => [ref, String(depth), pointers.join(', ')])
        const published = usage.versions.map(({ project, version, revision }) => [project, version, String(revision)])
        return {
          data: usage,
          text: () =>
            (rows.length === 0
              ? `No type refers to ${primitive.ref}.\n`
              : renderTable(['TYPE', 'DEPTH', 'PLACES'], rows)) +
            (published.length === 0 ? '' : `\n${renderTable(['PROJECT', 'VERSION', 'REVISION'], published)}`),
        }
      },
    }),
    suggest: command({
      summary: 'Find schemas of a version that a registered type could replace',
      description:
        'equal: the schema and the type allow the same values. narrower: the type can be added to the schema without changing its values. wider: the type allows less than the schema. --apply writes the first two into a draft and keeps the format of the document.',
      examples: [
        'svc type suggest shop 1.4.0',
        'svc type suggest shop 1.5.0 --diff',
        'svc type suggest shop 1.5.0 --apply',
      ],
      arguments: versionArguments,
      options: {
        limit: { type: 'integer', placeholder: 'N', default: 50, min: 1, max: 200, summary: 'maximum number' },
        diff: { type: 'boolean', summary: 'show the changed lines of the document' },
        apply: { type: 'boolean', summary: 'write the references that change no values into the draft' },
      },
      dataSchema: PrimitiveSuggestions,
      isBounded: true,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const slug = await tenant()
        const { project, version } = args
        const body = { project, version, limit: options.limit }
        const found = await call(primitivesApi.suggestions, { params: { tenant_slug: slug }, body })
        const draft = { tenant: slug, project, version }
        const linked = options.apply
          ? await applySuggestions(call, draft, harmless(found.suggestions), found.digest)
          : null
        const rows = found.suggestions.map((it) => [it.pointer, it.relation, it.primitive.ref])
        const { schemas, types } = found.considered
        const text = (): string => {
          if (linked !== null) return linkedText(linked)
          if (rows.length === 0)
            return `No type could replace a schema (${plural(schemas, 'schema')}, ${plural(types, 'type')}).\n`
          const diffs = options.diff ? found.suggestions.map(({ diff }) => `\n${diff.trimEnd()}\n`).join('') : ''
          const more = found.truncated ? 'There may be more: use --limit.\n' : ''
          return renderTable(['SCHEMA', 'RELATION', 'TYPE'], rows) + diffs + more
        }
        return { data: found, text }
      },
    }),
    impact: command({
      summary: 'Show which versions, operations and consumers a new schema of a type would break',
      description:
        'Nothing is stored. A schema that allows less breaks versions that receive the type, one that allows more breaks versions that send it; types that use the type count as well. Exit codes: 4 with --fail-on where the verdict is as bad, 7 where the job did not finish in time.',
      examples: [
        'svc type impact acme/money/Money money.schema.json',
        'svc type impact core/Price - --fail-on breaking < price.json',
      ],
      arguments: [
        { name: 'type', required: true, summary: 'reference or id' },
        { name: 'path', required: true, summary: 'the new schema: a file, JSON or YAML, or - for standard input' },
      ],
      options: {
        'fail-on': {
          type: 'string',
          placeholder: 'VERDICT',
          choices: verdicts,
          summary: 'exit 4 where the verdict is breaking, or with unknown also where it is undecided',
        },
      },
      graceful: true,
      dataSchema: PrimitiveImpact,
      isBounded: true,
      async run(invocation) {
        const { args, options, connection, io, signal } = invocation
        const { call, tenant } = await connection()
        const slug = await tenant()
        const schema = schemaIn(await readText(args.path, invocation), args.path)
        const { primitive } = await findType(call, slug, args.type)
        const params = { tenant_slug: slug, primitive_id: primitive.id }
        const asked = await call(primitivesApi.impact, { params, body: { schema } })
        let job: PrimitiveImpactJob | null = 'job_id' in asked ? asked : null
        while (job !== null && job.finished_at === null && !signal.aborted) {
          io.log.debug(`${job.progress.done} of ${job.progress.total} versions compared`)
          job = await call(primitivesApi.impactJob, {
            params: { tenant_slug: slug, job_id: job.job_id },
            query: { wait: 5 },
          })
        }
        const impact = 'job_id' in asked ? (job?.impact ?? null) : asked
        if (impact === null) {
          if (job?.error) throw new SvcError('impact-failed', { job: job.job_id, reason: job.error.message })
          return { data: job, exitCode: 130 }
        }
        const { verdict } = impact
        const fails = verdict === options['fail-on'] || (verdict === 'breaking' && options['fail-on'] === 'unknown')
        return { data: impact, text: () => impactText(impact), exitCode: fails ? 4 : 0 }
      },
    }),
  },
})
