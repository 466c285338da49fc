import { environmentKinds, environmentsApi, evidenceKinds } from '../../../src/api/environments.ts'
import { group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { environmentArgument, environmentText, approvalOptions } from '../../../cli/gateway/command-parts.ts'

const environmentOptions = {
  kind: { type: 'string', placeholder: 'KIND', choices: environmentKinds, summary: 'what it is for' },
  project: {
    type: 'string',
    multiple: true,
    placeholder: 'PROJECT',
    summary: 'a project whose API is behind it (repeatable)',
    field: 'project_ids',
  },
  host: {
    type: 'string',
    multiple: true,
    placeholder: 'NAME',
    summary: 'a host name of the gateway (repeatable)',
    field: 'hostnames',
  },
  'base-path': {
    type: 'string',
    multiple: true,
    placeholder: 'PATH',
    summary: 'prefix of the paths of the APIs (repeatable)',
    field: 'base_paths',
  },
  evidence: {
    type: 'string',
    placeholder: 'KIND',
    choices: evidenceKinds,
    summary: 'what gateways record of a value that a rule matched',
  },
  approvals: {
    type: 'string',
    placeholder: 'N',
    choices: ['off', '1', '2', '3'],
    summary: 'how many other people approve a risky change',
    read: (count: string) => (count === 'off' ? { required: false } : { required: true, approvers_min: Number(count) }),
  },
} as const

export default group({
  summary: 'Manage environments of gateways',
  commands: {
    list: derive(environmentsApi.list, {
      examples: ['svc gateway environment list'],
      sends: { limit: 200 },
      rows: 'environments',
      empty: 'No environments.\n',
      columns: {
        SLUG: (it) => it.slug,
        KIND: (it) => it.kind,
        TIER: (it) => it.tier,
        VERSION: (it) => String(it.policy_version),
        APPROVALS: (it) => (it.approvals.required ? 'required' : 'not required'),
        NAME: (it) => it.name,
      },
    }),
    show: derive(environmentsApi.get, {
      examples: ['svc gateway environment show production'],
      arguments: [environmentArgument],
      text: environmentText,
    }),
    create: derive(environmentsApi.create, {
      examples: [
        'svc gateway environment create Production --kind production --project petstore --host api.example.com',
      ],
      arguments: [{ name: 'name', summary: 'name of the environment' }],
      options: {
        slug: { summary: 'its slug (default: made from the name)' },
        ...environmentOptions,
        tier: { summary: 'the tier of its policy (default: standard)' },
      },
      text: environmentText,
    }),
    update: derive(environmentsApi.update, {
      description:
        'Lists replace those of before. To switch approvals off or lower their number needs the approval of another person.',
      examples: ['svc gateway environment update production --host api.example.com --host www.example.com'],
      arguments: [environmentArgument],
      options: {
        name: { summary: 'another name' },
        slug: { summary: 'another slug' },
        ...environmentOptions,
        ...approvalOptions,
      },
      text: environmentText,
    }),
    delete: derive(environmentsApi.remove, {
      examples: ['svc gateway environment delete trial'],
      arguments: [environmentArgument],
      options: approvalOptions,
      text: (_, { args }) => `Deleted ${args.environment}.\n`,
    }),
  },
})
