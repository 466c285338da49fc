import { useQuery } from '@tanstack/react-query'
import type { ChangeEvent } from 'react'
import { Button } from '../../parts/button.tsx'
import { CheckField, Field, SelectField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { allMembersQuery } from '../members/queries.ts'
import type { Policy } from './policy-change.ts'

type Rules = Policy['reviewRules']
type Rule = Rules[number]

const mostRules = 50
const mostApprovals = 10

const fields = [
  { name: 'tag', label: 'Tag', hint: 'Operations with this tag.' },
  { name: 'pathPrefix', label: 'Path prefix', hint: 'For example /billing.' },
  { name: 'class', label: 'Schema', hint: 'Name of a schema.' },
] as const

const roleOptions = [
  { value: '', name: 'No role' },
  { value: 'editor', name: 'Editor or stronger' },
  { value: 'admin', name: 'Admin or Owner' },
  { value: 'owner', name: 'Owner' },
] as const

/** A condition is left out where nothing is said. */
const withMatch = (rule: Rule, name: keyof Rule['match'], value: string | boolean): Rule => {
  const { [name]: _, ...others } = rule.match
  return { ...rule, match: value === '' || value === false ? others : { ...others, [name]: value } }
}

const withRole = (rule: Rule, role: (typeof roleOptions)[number]['value']): Rule => {
  const { role: _, ...others } = rule
  return role === '' ? others : { ...others, role }
}

const Reviewers = ({
  tenant,
  chosen,
  onChange,
}: {
  tenant: string
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) => {
  const members = useQuery(allMembersQuery(tenant))
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">Reviewers</legend>
      <Read query={members} what="the members">
        {({ items }) =>
          items
            .filter((it) => chosen.includes(it.user_id) || (it.status === 'active' && it.role !== 'viewer'))
            .map((member) => (
              <CheckField
                key={member.user_id}
                checked={chosen.includes(member.user_id)}
                onChange={(on) =>
                  onChange(on ? [...chosen, member.user_id] : chosen.filter((id) => id !== member.user_id))
                }
              >
                {member.name} <span className="text-sm text-soft">{member.role}</span>
              </CheckField>
            ))
        }
      </Read>
    </fieldset>
  )
}

const RuleFields = ({
  tenant,
  rule,
  number,
  onChange,
  onRemove,
}: {
  tenant: string
  rule: Rule
  number: number
  onChange: (rule: Rule) => void
  onRemove: () => void
}) => {
  const { match, reviewers = [], role, min = 1 } = rule
  return (
    <fieldset className="card grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <legend className="sr-only">Review rule {number}</legend>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">Rule {number}</h3>
        <Button onClick={onRemove}>
          Remove<span className="sr-only"> rule {number}</span>
        </Button>
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        {fields.map(({ name, label, hint }) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            spellCheck={false}
            value={match[name] ?? ''}
            onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(withMatch(rule, name, event.target.value))}
          />
        ))}
      </div>
      <CheckField checked={match.breaking === true} onChange={(on) => onChange(withMatch(rule, 'breaking', on))}>
        Breaking changes only
      </CheckField>
      <Reviewers tenant={tenant} chosen={reviewers} onChange={(next) => onChange({ ...rule, reviewers: next })} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Or members of the role"
          value={role === undefined || role === 'viewer' ? '' : role}
          options={roleOptions}
          onChange={(next) => onChange(withRole(rule, next))}
        />
        <Field
          label="How many of them must approve"
          type="number"
          min={1}
          max={mostApprovals}
          required
          value={String(min)}
          onChange={(event: ChangeEvent<HTMLInputElement>) =>
            onChange({
              ...rule,
              min: Math.min(mostApprovals, Math.max(1, Math.trunc(Number(event.target.value)) || 1)),
            })
          }
        />
      </div>
    </fieldset>
  )
}

/** Who must approve changes of a part of the API. */
export const ReviewRules = ({
  tenant,
  rules,
  disabled,
  onChange,
}: {
  tenant: string
  rules: Rules
  disabled: boolean
  onChange: (rules: Rules) => void
}) => (
  <Section
    title="Review rules"
    description="A rule applies to a draft if one of its changes meets all conditions of the rule. Then members that the rule names must approve."
  >
    {rules.length === 0 ? <p className="card px-4 py-3 text-sm text-soft">No review rules.</p> : null}
    {rules.map((rule, at) => (
      <RuleFields
        // Rules have no names: they are known by their place.
        key={at}
        tenant={tenant}
        rule={rule}
        number={at + 1}
        onChange={(changed) => onChange(rules.map((it, index) => (index === at ? changed : it)))}
        onRemove={() => onChange(rules.filter((_, index) => index !== at))}
      />
    ))}
    {disabled || rules.length >= mostRules ? null : (
      <div>
        <Button onClick={() => onChange([...rules, { match: {} }])}>Add a review rule</Button>
      </div>
    )}
  </Section>
)
