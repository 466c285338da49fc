import { type SecondFactorPolicy, tenantsApi } from '../../../src/api/tenants.ts'
import { group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { renderFacts } from '../../../cli/table.ts'

const text = ({ required, members_without: without }: SecondFactorPolicy): string =>
  renderFacts([
    ['second factor', required ? 'required' : 'optional'],
    ['members without', String(without)],
  ])

export default group({
  summary: 'Require a second factor of the members of the organization',
  commands: {
    show: derive(tenantsApi.secondFactor, {
      summary: 'Show whether members need a second factor, and how many have none',
      examples: ['svc --tenant acme tenant second-factor show'],
      text,
    }),
    require: derive(tenantsApi.setSecondFactor, {
      summary: 'Require a second factor; members without one can only add one until they have it',
      description:
        'Applies to members with a password at once. People who sign in at an identity provider only, and keys, are not affected. Your own account must have a second factor.',
      examples: ['svc --tenant acme tenant second-factor require'],
      sends: { required: true },
      text,
    }),
    optional: derive(tenantsApi.setSecondFactor, {
      summary: 'Stop requiring a second factor',
      examples: ['svc --tenant acme tenant second-factor optional'],
      sends: { required: false },
      text,
    }),
  },
})
