import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { assertConflictsKnown, readSides, sideAt } from '../../cli/binding/sides.ts'
import { versionArguments } from '../../cli/binding/shared.ts'

export default command({
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
    for (const { id, subject } of merged.conflicts)
      io.log.warn(`Both sides changed ${subject}: ${id} (${sideAt(sides, id)})`)
    const more = merged.conflicts_total - merged.conflicts.length
    if (more > 0) io.log.warn(`${more} more conflicts are not listed; --all decides about them.`)
    if (merged.document === null) io.log.warn('The selection is not one document: there is nothing to merge.')
    return { data: merged, text: merged.document ?? '' }
  },
})
