import { ContractResponse, SurfaceSelection } from '../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import type { StaticOf } from '../../src/api/shapes.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import {
  consumerArgument,
  contractText,
  projectArgument,
  surfaceText,
  versionOption,
  detailOptions,
} from '../../cli/consumer/shared.ts'
import { isArazzo, lostSteps, usesOfFile } from '../../cli/consumer/workflow.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { readText, readValue } from '../../cli/input/named-file.ts'
import { listOptions, pageOptions } from '../../cli/paging.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

export default group({
  summary: 'Manage consumers of a project and what they use',
  commands: {
    list: derive(consumersApi.list, {
      summary: 'List the consumers of a project, newest first',
      examples: ['svc consumer list petstore'],
      arguments: [projectArgument],
      options: { limit: { summary: 'maximum number' }, offset: listOptions.offset },
      data: 'consumers',
      counts: ['total'],
      empty: 'No consumers.\n',
      columns: {
        HANDLE: (it) => it.handle,
        NAME: (it) => it.name,
        OWNER: (it) => it.owner ?? '',
        CONTRACT: ({ contract }) =>
          contract === null ? 'never declared' : `revision ${contract.revision}, ${contract.version_label}`,
        UNRESOLVED: ({ contract }) => (contract === null ? '' : String(contract.unresolved_count)),
      },
    }),
    create: derive(consumersApi.create, {
      summary: 'Register a consumer of a project',
      examples: ['svc consumer create petstore "Shop front" --owner web-team'],
      arguments: [projectArgument, { name: 'name', summary: 'display name' }],
      options: {
        handle: {
          placeholder: 'SLUG',
          summary: 'its slug, which cannot be changed later (default: made from the name)',
        },
        ...detailOptions,
      },
      text: (consumer) => `Registered ${consumer.name} as ${consumer.handle}\n`,
    }),
    update: derive(consumersApi.update, {
      summary: 'Change the name or details of a consumer; its slug never changes',
      examples: ['svc consumer update petstore shop-front --owner web-team'],
      arguments: [projectArgument, consumerArgument],
      options: { name: { placeholder: 'TEXT', summary: 'display name' }, ...detailOptions },
      text: (consumer) => `Changed ${consumer.handle}\n`,
    }),
    retire: derive(consumersApi.retire, {
      summary: 'Retire a consumer; its slug becomes free, its revisions are kept',
      description: 'You can restore it for 30 days with "svc bin restore".',
      examples: ['svc consumer retire petstore shop-front'],
      arguments: [projectArgument, consumerArgument],
      data: (_, { args }) => ({ retired: args.consumer }),
      text: (_, { args }) => `Retired ${args.consumer}\n${restoreHint(args.consumer)}`,
    }),
    import: derive(consumersApi.importPact, {
      summary: 'Declare what a consumer uses with a Pact file (specification 1 to 4)',
      description:
        'Registers the consumer if it does not exist, under the slug of --consumer, or one made from its name in the file.',
      examples: [
        'svc consumer import petstore shop-petstore.json',
        'svc consumer import petstore pact.json --consumer shop-front',
      ],
      arguments: [
        projectArgument,
        { name: 'file', summary: 'the Pact; - for standard input', field: 'pact', read: readText },
      ],
      options: {
        consumer: { placeholder: 'HANDLE', summary: 'the consumer it belongs to', field: 'consumer_slug' },
        version: versionOption,
      },
      text: (answer) => `Consumer ${answer.consumer.handle}\n${contractText(answer.contract)}`,
    }),
    revisions: derive(consumersApi.revisions, {
      summary: 'List the revisions of a consumer’s contract, newest first',
      examples: ['svc consumer revisions petstore shop-front'],
      arguments: [projectArgument, consumerArgument],
      options: { limit: { summary: 'maximum number' } },
      data: 'revisions',
      counts: ['total'],
      empty: 'Never declared what it uses.\n',
      columns: {
        REVISION: (it) => String(it.revision),
        SOURCE: (it) => it.source,
        AGAINST: (it) => it.version_label,
        OPERATIONS: (it) => String(it.operations_count),
        FIELDS: (it) => String(it.fields_count),
        UNRESOLVED: (it) => String(it.unresolved_count),
        WRITTEN: (it) => shortTime(it.created_at),
      },
    }),
    surface: derive(consumersApi.surface, {
      summary: 'Show what consumers can declare for a version: fields and parameters of each operation',
      examples: ['svc consumer surface petstore', 'svc consumer surface petstore --version 1.2.0 --limit 200 --json'],
      arguments: [projectArgument],
      options: {
        version: versionOption,
        limit: { summary: 'maximum number of operations' },
        offset: pageOptions.offset,
      },
      text: surfaceText,
    }),
    declare: command({
      summary: 'Declare what a consumer uses, as a new revision of its contract',
      description:
        'FILE is JSON or YAML: {operations: [{method, path, request: [fields], responses: {"200": [fields]}, parameters: [names]}]}. Fields are data paths as "svc consumer surface" shows them: owner.name, lines[].price. Unknown fields are reported and do not stop the import of the others. FILE may also be an Arazzo document, whose workflows are the consumer: the operations, parameters and fields that its steps use of the source --source are declared, and each step that the version has nothing for is named.',
      examples: [
        'svc consumer declare petstore shop-front uses.yaml',
        'svc consumer declare petstore shop-front - --version 1.2.0',
        'svc consumer declare petstore checkout orders.arazzo.yaml --source shop --version 2.0.0',
      ],
      arguments: [
        projectArgument,
        consumerArgument,
        { name: 'file', required: true, summary: 'the selection, or an Arazzo document; - for standard input' },
      ],
      options: {
        version: versionOption,
        source: {
          type: 'string',
          placeholder: 'NAME',
          summary: 'for an Arazzo document: the source description of this project (default: the only one)',
        },
      },
      dataSchema: ContractResponse,
      isBounded: true,
      async run(invocation) {
        const { args, options, connection } = invocation
        const written = await readValue(args.file, invocation)
        const uses = isArazzo(written) ? await usesOfFile(args.file, options.source, invocation) : null
        const selection = uses === null ? written : { operations: uses.operations }
        const { call, tenant } = await connection()
        const answer = await call(consumersApi.declare, {
          params: { tenant_slug: await tenant(), project_ref: args.project, consumer_ref: args.consumer },
          query: options.version === undefined ? {} : { version: options.version },
          // The service checks it and names every place that does not fit.
          body: selection as unknown as StaticOf<typeof SurfaceSelection>,
        })
        const lost = uses === null ? [] : lostSteps(uses, answer.contract)
        return { data: answer, text: () => contractText(answer.contract) + lost.map((it) => `${it}\n`).join('') }
      },
    }),
    show: command({
      summary: 'Show a consumer and what it uses',
      examples: ['svc consumer show petstore shop-front', 'svc consumer show petstore shop-front --revision 2 --json'],
      arguments: [projectArgument, consumerArgument],
      options: {
        revision: { type: 'integer', placeholder: 'N', min: 1, summary: 'an earlier revision of its contract' },
      },
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project, consumer_ref: args.consumer }
        const found = await call(consumersApi.get, { params })
        const { consumer, revisions_count: revisions } = found
        const contract =
          options.revision === undefined
            ? found.contract
            : await call(consumersApi.contract, { params, query: { revision: options.revision } })
        return {
          data: { ...found, contract },
          text: () =>
            renderFacts([
              ['Consumer', consumer.handle],
              ['Name', consumer.name],
              ['Id', consumer.id],
              ['About', consumer.description],
              ['Owner', consumer.owner],
              ['Contact', consumer.contact],
              ['Created', shortTime(consumer.created_at)],
              ['Retired', consumer.retired_at === null ? null : shortTime(consumer.retired_at)],
              ['Revisions', String(revisions)],
            ]) + (contract === null ? '\nNever declared what it uses.\n' : `\n${contractText(contract)}`),
        }
      },
    }),
  },
})
