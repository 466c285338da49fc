import { bindingsApi } from '../../src/api/bindings.ts'
import {
  candidateArguments,
  candidateOptions,
  renderBinding,
  renderComparison,
  renderDetail,
  targetOptions,
  versionArguments,
} from '../../cli/binding/shared.ts'
import { assertConflictsKnown, conflictLine, readSides, sideAt } from '../../cli/binding/shared.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'

export default group({
  summary: 'Sync drafts with git branches and review incoming changes',
  commands: {
    list: derive(bindingsApi.list, {
      examples: ['svc binding list shop --active'],
      arguments: [{ name: 'project', summary: 'id or slug of the project' }],
      options: { active: { summary: 'only those that are not released' } },
      sends: { limit: 200 },
      rows: 'bindings',
      empty: 'No bindings.\n',
      columns: {
        VERSION: (it) => it.version_label ?? '-',
        REPOSITORY: (it) => it.repo_full_name,
        REF: (it) => it.ref,
        PATH: (it) => (it.path === '' ? '.' : it.path),
        STATE: (it) => (it.active ? 'active' : (it.release_reason ?? 'released')),
        PENDING: (it) => String(it.pending_candidate_count),
      },
    }),
    create: derive(bindingsApi.create, {
      description: 'The ref is read before anything is stored. Nothing of the draft changes.',
      examples: [
        'svc binding create shop 2.0.0 https://github.com/acme/specs --path openapi.yaml',
        'svc binding create shop 2.0.0 --repository 01a1fdb6-5607-74ce-8102-e0af632fd4cf --ref main --path specs/**/*.yaml',
      ],
      arguments: [...versionArguments, { name: 'repo_url', summary: 'https address, where no --repository is given' }],
      options: {
        ...targetOptions,
        replace: { summary: 'release the present binding' },
        base: {
          summary:
            'what the draft and the file both come from (default: origin where the file changed since the import)',
        },
      },
      text: renderDetail,
    }),
    compare: derive(bindingsApi.compare, {
      examples: ['svc binding compare shop 2.0.0 https://github.com/acme/specs --path openapi.yaml'],
      arguments: [...versionArguments, { name: 'repo_url', summary: 'https address, where no --repository is given' }],
      options: targetOptions,
      text: renderComparison,
    }),
    check: derive(bindingsApi.check, {
      summary: 'Check the branch for new commits',
      examples: ['svc binding check shop 2.0.0'],
      arguments: versionArguments,
      text: renderDetail,
    }),
    apply: derive(bindingsApi.resolve, {
      summary: 'Accept an incoming change: the binding moves to its commit, the draft does not change',
      examples: ['svc binding apply shop 2.0.0 01a1fdb6-5607-74ce-8102-e0af632fd4cf --note "see #12"'],
      arguments: candidateArguments,
      options: candidateOptions,
      sends: { status: 'applied' },
      text: renderDetail,
    }),
    dismiss: derive(bindingsApi.resolve, {
      summary: 'Dismiss an incoming change; the binding stays at its commit',
      examples: ['svc binding dismiss shop 2.0.0 01a1fdb6-5607-74ce-8102-e0af632fd4cf --note "see #12"'],
      arguments: candidateArguments,
      options: candidateOptions,
      sends: { status: 'dismissed' },
      text: renderDetail,
    }),
    release: derive(bindingsApi.release, {
      examples: ['svc binding release shop 2.0.0'],
      arguments: versionArguments,
      text: renderBinding,
    }),
    show: command({
      summary: 'Show the binding of a draft with its candidates',
      examples: ['svc binding show shop 2.0.0'],
      arguments: versionArguments,
      options: {},
      dataSchema: bindingsApi.status.response,
      async run({ args, connection }) {
        const { call, tenant } = await connection()
        const project = { tenant_slug: await tenant(), project_ref: args.project }
        const status = await call(bindingsApi.status, { params: { ...project, version_ref: args.version } })
        if (status.binding === null)
          return { data: status, text: `Not bound; ${status.previous.length} earlier bindings.\n` }
        const detail = await call(bindingsApi.get, { params: { ...project, binding_id: status.binding.id } })
        return { data: status, text: renderDetail(detail) }
      },
    }),
    merge: command({
      summary: 'Print the draft merged with the document of a candidate, by operations, parameters and schemas',
      description:
        'Nothing is stored: the application puts the text into the draft ("Take into the draft"), or PUT …/versions/VERSION/document. Places that both sides changed are listed on standard error, each with the id that --take names and the side that the text has there: the draft ("mine"), unless --take or --all says the repository ("theirs").',
      examples: [
        'svc binding merge shop 2.0.0 01a1fdb6-5607-74ce-8102-e0af632fd4cf > merged.yaml',
        'svc binding merge shop 2.0.0 01a1fdb6-5607-74ce-8102-e0af632fd4cf --take /paths/~1pets/get/summary=theirs',
        'svc binding merge shop 2.0.0 01a1fdb6-5607-74ce-8102-e0af632fd4cf --all theirs --take /info/title=mine',
      ],
      arguments: [...versionArguments, { name: 'candidate', required: true, summary: 'id of the candidate' }],
      options: {
        take: {
          type: 'string',
          multiple: true,
          placeholder: 'CONFLICT=SIDE',
          summary: 'mine or theirs at one conflict, by its id (repeatable)',
        },
        all: {
          type: 'string',
          choices: ['mine', 'theirs'],
          placeholder: 'SIDE',
          summary: 'mine or theirs at conflicts that no --take names (default: mine)',
        },
      },
      dataSchema: bindingsApi.merge.response,
      async run({ args, options, connection, io }) {
        const sides = readSides(options.take, options.all)
        const { call, tenant } = await connection()
        const version = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
        const params = { ...version, candidate_id: args.candidate }
        const merged = await call(bindingsApi.mergeWith, { params, body: sides })
        assertConflictsKnown(merged, sides)
        for (const conflict of merged.conflicts) io.log.warn(conflictLine(conflict, sideAt(sides, conflict.id)))
        const more = merged.conflicts_total - merged.conflicts.length
        if (more > 0) io.log.warn(`${more} more conflicts are not listed; --all decides about them.`)
        if (merged.document === null) io.log.warn('The selection is not one document: there is nothing to merge.')
        return { data: merged, text: merged.document ?? '' }
      },
    }),
  },
})
