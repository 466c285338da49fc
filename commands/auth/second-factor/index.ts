import { secondFactorsApi } from '../../../src/api/second-factors.ts'
import { ownPassword, passwordOption, recoveryCodesText } from '../../../cli/auth/second-factor.ts'
import { group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { renderFacts, shortTime } from '../../../cli/table.ts'

export default group({
  summary: 'Manage the second factors of your account',
  commands: {
    show: derive(secondFactorsApi.show, {
      summary: 'Show your second factors',
      examples: ['svc auth second-factor show', 'svc auth second-factor show --json'],
      text: ({ enabled, has_password: hasPassword, authenticator_app: app, passkeys, recovery_codes: codes }) =>
        renderFacts([
          ['second factor', enabled ? 'on' : `off${hasPassword ? '' : ' (the account has no password)'}`],
          ['authenticator app', app === null ? null : `since ${shortTime(app.added_at)}`],
          ['passkeys', passkeys.length === 0 ? null : passkeys.map((it) => it.name).join(', ')],
          ['recovery codes', enabled ? `${codes.left} left` : null],
        ]),
    }),
    create: derive(secondFactorsApi.beginApp, {
      summary: 'Create the secret of an authenticator app',
      description:
        'Add the secret to the app, then confirm the code that it shows with "svc auth second-factor confirm". Without a confirmation nothing changes. Add passkeys in the application, under Your account.',
      examples: ['pass show svc | svc auth second-factor create --password-stdin'],
      options: passwordOption,
      sends: { current_password: ownPassword },
      text: ({ secret, uri }) =>
        `${renderFacts([
          ['secret', secret.replaceAll(/(.{4})(?=.)/g, '$1 ')],
          ['address', uri],
        ])}Confirm it within an hour: svc auth second-factor confirm CODE\n`,
    }),
    confirm: derive(secondFactorsApi.confirmApp, {
      summary: 'Confirm an authenticator app with the code that it shows',
      description: 'With the first second factor, prints ten recovery codes. They cannot be shown again.',
      examples: ['svc auth second-factor confirm 123456'],
      arguments: [{ name: 'code', summary: 'six digits of the app' }],
      text: ({ recovery_codes: codes }) =>
        codes === null
          ? 'The app is in use. Your recovery codes stay as they are.\n'
          : `The app is in use: signing in with your password asks for its code.\n\n${recoveryCodesText(codes)}`,
    }),
    delete: derive(secondFactorsApi.removeApp, {
      summary: 'Delete the authenticator app of your account',
      examples: ['pass show svc | svc auth second-factor delete --password-stdin'],
      options: passwordOption,
      sends: { current_password: ownPassword },
      text: () => 'Deleted the authenticator app\n',
    }),
    'recovery-codes': derive(secondFactorsApi.renewCodes, {
      summary: 'Replace your recovery codes; the new ones are shown once',
      examples: ['pass show svc | svc auth second-factor recovery-codes --password-stdin'],
      options: passwordOption,
      sends: { current_password: ownPassword },
      text: ({ recovery_codes: codes }) => recoveryCodesText(codes),
    }),
  },
})
