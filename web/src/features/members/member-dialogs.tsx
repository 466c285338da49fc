import { capitalized } from '../../parts/text.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  type InvitationRecord,
  type MemberRecord,
  membersApi,
  type PasswordResetRecord,
} from '../../../../src/api/members.ts'
import { type Role, roles } from '../../../../src/api/permissions.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Field, Form, type Option, RadioField, useForm } from '../../parts/form.tsx'
import { Moment } from '../../parts/page.tsx'
import { refreshMembers } from './queries.ts'
import { refreshIdentity } from '../../session.ts'

const meanings: Record<Role, string> = {
  owner: 'Full access, including deleting the organization and transferring ownership.',
  admin: 'Everything an Editor can do, plus members, keys, plan and force publish.',
  editor: 'Can import, edit and publish.',
  viewer: 'Can read.',
  guest: 'Sees only the projects that they get a role on.',
}
const roleOptions: readonly Option<Role>[] = roles.map((it) => ({
  value: it,
  name: capitalized(it),
  detail: meanings[it],
}))

/** A choice of a role, with what each allows. */
export const RoleField = ({
  value,
  among = roles,
  onChange,
}: {
  value: Role
  /** Those that can be chosen. */
  among?: readonly Role[]
  onChange: (role: Role) => void
}) => (
  <RadioField
    legend="Role"
    value={value}
    options={roleOptions.filter((it) => among.includes(it.value))}
    onChange={onChange}
  />
)

const RoleForm = ({ tenant, member, onClose }: { tenant: string; member: MemberRecord; onClose: () => void }) => {
  const form = useForm({ role: member.role }, async (body) => {
    await call(membersApi.update, { params: { tenant_slug: tenant, user_id: member.user_id }, body })
    await refreshMembers(tenant)
    await refreshIdentity()
    onClose()
  })
  return (
    <Form change={form} submit="Change role" disabled={form.values.role === member.role} onCancel={onClose}>
      <RoleField value={form.values.role} onChange={(role) => form.set({ role })} />
    </Form>
  )
}

/** The dialogs about one member; the address says which one is open. */
export const MemberDialogs = ({ tenant, member }: { tenant: string; member: MemberRecord | undefined }) => {
  const { dialog, close } = useAddress()
  const navigate = useNavigate()
  if (!member) return null
  const { name } = member
  const params = { tenant_slug: tenant, user_id: member.user_id }
  return (
    <>
      <Window open={dialog === 'role'} onClose={close} title={`Role of ${name}`}>
        <RoleForm tenant={tenant} member={member} onClose={close} />
      </Window>
      <Window open={dialog === 'reset'} onClose={close} title={`Reset the password of ${name}`}>
        <ResetForm tenant={tenant} member={member} onClose={close} />
      </Window>
      <DangerConfirmation
        open={dialog === 'suspend' && member.status === 'active'}
        onClose={close}
        title={`Suspend ${name}?`}
        action="Suspend"
        onConfirm={async () => {
          await call(membersApi.update, { params, body: { status: 'suspended' } })
          await refreshMembers(tenant)
        }}
      >
        <p>They lose access immediately, until an Owner or Admin reinstates them.</p>
      </DangerConfirmation>
      <DangerConfirmation
        open={dialog === 'remove'}
        onClose={close}
        title={`Remove ${name}?`}
        action="Remove"
        onConfirm={async () => {
          await call(membersApi.remove, { params })
          await refreshMembers(tenant)
        }}
      >
        <p>
          They lose access to this organization. Keys they created keep working, because keys belong to the
          organization.
        </p>
      </DangerConfirmation>
      <DangerConfirmation
        open={dialog === 'leave'}
        onClose={close}
        title="Leave this organization?"
        action="Leave"
        onConfirm={async () => {
          await call(membersApi.remove, { params })
          await refreshIdentity()
          await navigate({ to: '/', replace: true })
        }}
      >
        <p>You lose access and need an invitation to come back. The last Owner cannot leave.</p>
      </DangerConfirmation>
    </>
  )
}

/** A link that is shown once, with what to do with it. */
const SecretLink = ({ link, onClose, children }: { link: string; onClose: () => void; children: ReactNode }) => (
  <>
    <p className="text-soft">{children}</p>
    <div className="flex items-center gap-2 rounded-lg border border-accent bg-wash p-3">
      <code className="min-w-0 grow font-mono text-sm break-all" aria-label="The link">
        {link}
      </code>
      <CopyButton text={link} what="the link" />
    </div>
    <div>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </>
)

const ResetForm = ({ tenant, member, onClose }: { tenant: string; member: MemberRecord; onClose: () => void }) => {
  const [made, setMade] = useState<PasswordResetRecord | null>(null)
  const form = useForm({}, async () => {
    const params = { tenant_slug: tenant, user_id: member.user_id }
    setMade(await call(membersApi.resetPassword, { params }))
  })
  if (made === null)
    return (
      <Form change={form} submit="Create reset link" onCancel={onClose}>
        <p>
          Creates a link with which {member.name} sets a new password. The current password stays valid until the link
          is used.
        </p>
      </Form>
    )
  return (
    <SecretLink link={`${location.origin}/app/reset-password#token=${made.token}`} onClose={onClose}>
      The service sends no e-mail and shows this link only now. Copy it and send it to {made.email} in private: the
      first person who opens it can set the password. It works once, until <Moment at={made.expires_at} />.
    </SecretLink>
  )
}

const InviteForm = ({ tenant, onClose }: { tenant: string; onClose: () => void }) => {
  const [made, setMade] = useState<InvitationRecord | null>(null)
  const form = useForm<{ email: string; role: Role }>({ email: '', role: 'viewer' }, async (body) => {
    setMade(await call(membersApi.invite, { params: { tenant_slug: tenant }, body }))
    await refreshMembers(tenant)
  })
  if (made === null)
    return (
      <Form change={form} submit="Create invitation link" onCancel={onClose}>
        <Field label="E-mail address" type="email" required {...form.bind('email')} />
        <RoleField value={form.values.role} onChange={(role) => form.set({ role })} />
      </Form>
    )
  const link = `${location.origin}/app/invitation#token=${made.token ?? ''}`
  return (
    <SecretLink link={link} onClose={onClose}>
      The service sends no e-mail and shows this link only now. Copy it and send it to {made.email} in private: the
      first person who opens it can join. It works once, until <Moment at={made.expires_at} />.
    </SecretLink>
  )
}

export const InviteWindow = ({ tenant, open, onClose }: { tenant: string; open: boolean; onClose: () => void }) => {
  const close = (): void => {
    onClose()
    // The invitation may have been accepted while its link was shown.
    void refreshMembers(tenant)
  }
  return (
    <Window open={open} onClose={close} title="Invite a member">
      <InviteForm tenant={tenant} onClose={close} />
    </Window>
  )
}
