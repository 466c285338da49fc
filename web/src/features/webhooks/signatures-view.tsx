import { useAddress } from '../../parts/address.ts'
import { Choices } from '../../parts/choices.tsx'
import { CopyButton, Snippet } from '../../parts/copy.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { receivers } from './receivers.ts'

const code = (text: string) => <code className="font-mono text-[0.9em]">{text}</code>

/** How a receiver checks that a delivery comes from this service, with a program for each language. */
export const SignaturesView = ({ language }: { language: string }) => {
  const { filter } = useAddress()
  const chosen = receivers.find((it) => it.language === language) ?? receivers[0]
  return (
    <>
      <Section
        title="What a receiver checks"
        description="Deliveries are signed as Standard Webhooks 1.0.0 say. The libraries of that standard do all of this."
      >
        <div className="card p-4">
          <Facts
            facts={[
              ['webhook-id', 'The same for every attempt: drop what you have already processed.'],
              ['webhook-timestamp', 'Seconds since 1970. Refuse what is more than five minutes away.'],
              [
                'webhook-signature',
                <>
                  {code('v1,')} and base64 of HMAC-SHA-256 over {code('id.timestamp.body')}. After a rotation there are
                  two, separated by a blank: accept either.
                </>,
              ],
            ]}
          />
        </div>
      </Section>
      {chosen ? (
        <Section title="A receiver" description="Set the signing secret in the variable SVC_WEBHOOK_SECRET.">
          <Choices
            label="Language"
            value={chosen.language}
            onChange={(next) => filter({ language: next ?? chosen.language })}
            choices={receivers.map((it) => ({ value: it.language, name: it.language }))}
          />
          <Snippet text={chosen.install} what="the command" />
          <div className="card relative">
            <div className="absolute top-2 right-2">
              <CopyButton text={chosen.code} what="the program" />
            </div>
            <pre
              role="group"
              aria-label={`Receiver in ${chosen.language}`}
              tabIndex={0}
              className="overflow-x-auto p-4 pr-12 font-mono text-xs"
            >
              {chosen.code}
            </pre>
          </div>
          <p className="max-w-[75ch] text-sm text-soft">
            Verify the bytes of the body as they arrived, before they are parsed. A secret without the prefix{' '}
            {code('whsec_')} is used as its UTF-8 bytes: give the library these bytes instead of the text, which it
            would read as base64.
          </p>
        </Section>
      ) : null}
    </>
  )
}
