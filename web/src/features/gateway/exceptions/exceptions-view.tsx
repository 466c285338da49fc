import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gatewayApi } from '../../../../../src/api/gateway.ts'
import type { SecurityException } from '../../../../../src/api/gateway-shapes.ts'
import { exceptionStates } from '../../../../../src/gateway-policy/door.ts'
import { call } from '../../../call.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge, type Tone } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Choices } from '../../../parts/choices.tsx'
import { count } from '../../../parts/text.ts'
import { DangerConfirmation } from '../../../parts/dialog.tsx'
import { List, Row } from '../../../parts/list.tsx'
import { Read } from '../../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../../parts/menu.tsx'
import { Moment, Toolbar } from '../../../parts/page.tsx'
import { Empty, needs, NoMatch } from '../../../parts/states.tsx'
import { holds, identityQuery } from '../../../session.ts'
import { environmentInput, refreshEnvironments, type EnvironmentAt } from '../queries.ts'
import { draftQuery, exceptionsQuery } from '../rules/queries.ts'
import { ExceptionForm } from './exception-form.tsx'
import { endsSoon, newWords, scopeWords, targetWords, wordsOf } from './scope.ts'

const stateTones: Readonly<Record<SecurityException['state'], Tone>> = {
  active: 'ok',
  expired: 'plain',
  removed: 'plain',
}

const Actions = ({ exception }: { exception: SecurityException }) => {
  const { filter, open } = useAddress()
  return (
    <Menu align="end" label={<span className="sr-only">{`More: ${scopeWords(exception.scope)}`}</span>}>
      <MenuItem onClick={() => filter({ edit: exception.id })}>
        {exception.state === 'active' ? 'Change …' : 'Add again …'}
      </MenuItem>
      {exception.state === 'active' ? (
        <>
          <MenuLine />
          <MenuItem onClick={() => open('remove', exception.id)}>Remove …</MenuItem>
        </>
      ) : null}
    </Menu>
  )
}

const When = ({ exception }: { exception: SecurityException }) =>
  exception.state === 'removed' && exception.removedAt !== null ? (
    <>
      removed <Moment at={exception.removedAt} />
    </>
  ) : (
    <>
      {exception.state === 'active' ? 'ends' : 'ended'} <Moment at={exception.expiresAt} />
    </>
  )

const reasonOf = ({ reason, ticket }: SecurityException): string => (ticket === null ? reason : `${reason} · ${ticket}`)

const ExceptionRow = ({ exception, may }: { exception: SecurityException; may: boolean }) => (
  <Row>
    <h2 className="truncate font-mono text-xs font-semibold max-md:w-full" title={scopeWords(exception.scope)}>
      {scopeWords(exception.scope)}
    </h2>
    {endsSoon(exception, Date.now()) ? (
      <Badge tone="warn">ends within 24 hours</Badge>
    ) : (
      <Badge tone={stateTones[exception.state]}>{exception.state}</Badge>
    )}
    <span className="truncate max-md:w-full" title={targetWords(exception.target)}>
      {targetWords(exception.target)}
    </span>
    <span className="truncate text-soft max-md:w-full" title={reasonOf(exception)}>
      {reasonOf(exception)}
    </span>
    <span
      className="truncate text-soft"
      title={
        exception.hits.sinceExpiry > 0
          ? `${exception.hits.sinceExpiry.toLocaleString()} since its end would have been`
          : undefined
      }
    >
      {count(exception.hits.active, 'request', 'requests')}
      {exception.hits.sinceExpiry > 0 ? `, ${exception.hits.sinceExpiry.toLocaleString()} since` : ''}
    </span>
    <span className="truncate text-soft">
      <When exception={exception} />
    </span>
    <span className="flex justify-end max-md:absolute max-md:top-1 max-md:right-2">
      {may ? <Actions exception={exception} /> : null}
    </span>
  </Row>
)

interface Listed {
  readonly at: EnvironmentAt
  readonly exceptions: readonly SecurityException[]
  readonly policyVersion: number
  readonly may: boolean
}

const Exceptions = ({ at, exceptions, policyVersion, may, state }: Listed & { state: string }) => {
  const { filter, dialog, item, close } = useAddress()
  const removed = dialog === 'remove' ? exceptions.find(({ id }) => id === item) : undefined
  const shown = exceptions.filter((it) => state === '' || it.state === state)
  const { params, query } = environmentInput(at)
  const remove = async (): Promise<void> => {
    await call(gatewayApi.removeException, {
      params: { ...params, exception_id: removed?.id ?? '' },
      query: { ...query, expectedPolicyVersion: policyVersion },
    })
    await refreshEnvironments(at.tenant)
  }
  const add = (
    <Button look="primary" onClick={() => filter({ edit: 'new' })}>
      Add an exception …
    </Button>
  )
  if (exceptions.length === 0)
    return (
      <Empty title="No exceptions">
        <p>
          Where a check stops requests that are fine, an exception lets them pass in one place until a date. The easiest
          way is to draft one from an event.
        </p>
        {may ? add : <p>{needs('security:edit', 'Adding one')}</p>}
      </Empty>
    )
  return (
    <>
      <Toolbar>
        <Choices
          label="State"
          value={state === '' ? null : state}
          choices={exceptionStates.map((value) => ({
            value,
            name: value,
            count: exceptions.filter((it) => it.state === value).length,
          }))}
          onChange={(value) => filter({ state: value ?? '' })}
        />
        {may ? add : null}
      </Toolbar>
      {shown.length === 0 ? (
        <NoMatch what="exception" onClear={() => filter({ state: '' })} />
      ) : (
        <List
          label="Exceptions"
          columns="minmax(0,1.3fr) 10rem minmax(0,1.2fr) minmax(0,1.2fr) 8rem 9.5rem 2.5rem"
          heads={['Where', 'State', 'Exempt from', 'Reason', 'Let through', 'Until']}
        >
          {shown.map((it) => (
            <ExceptionRow key={it.id} exception={it} may={may} />
          ))}
        </List>
      )}
      <DangerConfirmation
        open={removed !== undefined && may}
        onClose={close}
        title="Remove this exception?"
        action="Remove"
        onConfirm={remove}
      >
        <p className="wrap-anywhere">
          {removed ? scopeWords(removed.scope) : ''} is checked again as soon as gateways have the new version. The
          exception stays in the list.
        </p>
      </DangerConfirmation>
    </>
  )
}

/** The form of a new exception, of one drafted from an event, or of one that takes the place of another. */
const Editing = ({
  at,
  exceptions,
  policyVersion,
  edit,
  event,
}: Omit<Listed, 'may'> & { edit: string; event: string }) => {
  const { filter } = useAddress()
  const [now] = useState(() => Date.now())
  const draft = useQuery(draftQuery(at, event))
  const given = exceptions.find(({ id }) => id === edit)
  const form = { at, policyVersion, onClose: () => filter({ edit: '', event: '' }) }
  if (given !== undefined)
    return (
      <ExceptionForm
        {...form}
        title={given.state === 'active' ? 'Change the exception' : 'Add the exception again'}
        initial={wordsOf(given, now)}
        replaces={given.state === 'active' ? given.id : null}
      />
    )
  if (event === '') return <ExceptionForm {...form} title="Add an exception" initial={newWords(now)} />
  return (
    <>
      <Read query={draft} what="the draft">
        {(found) => <ExceptionForm {...form} title="Add an exception for an event" initial={wordsOf(found, now)} />}
      </Read>
      {draft.error ? (
        <div>
          <Button onClick={() => filter({ edit: 'new', event: '' })}>Write the exception yourself</Button>
        </div>
      ) : null}
    </>
  )
}

/** The exceptions of an environment with what they let through, and the form of one. */
export const ExceptionsView = ({
  at,
  state,
  edit,
  event,
}: {
  at: EnvironmentAt
  state: string
  edit: string
  /** The event that a new one is drafted from. */
  event: string
}) => {
  const exceptions = useQuery(exceptionsQuery(at, true))
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, at.tenant, 'security:edit')
  return (
    <Read query={exceptions} what="the exceptions">
      {(found) => {
        const known = edit === 'new' || found.exceptions.some(({ id }) => id === edit)
        return may && known ? (
          <Editing key={`${edit} ${event}`} at={at} {...found} edit={edit} event={event} />
        ) : (
          <Exceptions at={at} {...found} may={may} state={state} />
        )
      }}
    </Read>
  )
}
