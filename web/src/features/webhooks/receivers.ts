/** A program that checks the signature of a delivery before it trusts the event. */
export interface Receiver {
  readonly language: string
  /** The command that adds the library of Standard Webhooks. */
  readonly install: string
  readonly code: string
}

/** One for each language; the guide of webhooks shows the same. */
export const receivers: readonly Receiver[] = [
  {
    language: 'TypeScript',
    install: 'npm install standardwebhooks',
    code: `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.SVC_WEBHOOK_SECRET ?? '')

// With Express or node:http: webhook.verify(bodyText, request.headers)
export async function receive(request: Request) {
  const body = await request.text()
  let event
  try {
    event = webhook.verify(body, Object.fromEntries(request.headers))
  } catch {
    return new Response(null, { status: 401 })
  }
  console.log(request.headers.get('webhook-id'), event)
  return new Response(null, { status: 204 })
}
`,
  },
  {
    language: 'Python',
    install: 'pip install standardwebhooks',
    code: `import os

from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["SVC_WEBHOOK_SECRET"])


# With Flask: receive(request.get_data(), request.headers)
def receive(body: bytes, headers) -> int:
    try:
        event = webhook.verify(body, headers)
    except WebhookVerificationError:
        return 401
    print(headers["webhook-id"], event["type"])
    return 204
`,
  },
  {
    language: 'Go',
    install: 'go get github.com/standard-webhooks/standard-webhooks/libraries',
    code: `package receiver

import (
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func Receive(w http.ResponseWriter, r *http.Request) {
	secret := os.Getenv("SVC_WEBHOOK_SECRET")
	if secret == "" {
		panic("SVC_WEBHOOK_SECRET is not set")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err == nil {
		err = webhook.Verify(body, r.Header)
	}
	if err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	log.Print(r.Header.Get("webhook-id"), " ", string(body))
	w.WriteHeader(http.StatusNoContent)
}
`,
  },
  {
    language: 'Java',
    install: 'implementation("com.standardwebhooks:standardwebhooks:1.2.0")',
    code: `import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

public final class Receiver {
    private final Webhook webhook;

    public Receiver(String secret) throws Exception {
        webhook = new Webhook(secret);
    }

    /** Returns the status to answer with. */
    public int receive(byte[] bytes, Map<String, List<String>> headers) {
        String body = new String(bytes, StandardCharsets.UTF_8);
        try {
            webhook.verify(body, headers);
        } catch (WebhookVerificationException e) {
            return 401;
        }
        System.out.println(body);
        return 204;
    }
}
`,
  },
  {
    language: 'Ruby',
    install: 'gem install standardwebhooks',
    code: `require "standardwebhooks"

WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch("SVC_WEBHOOK_SECRET"))

# With Rails: receive(request.raw_post, request.headers)
def receive(body, headers)
  event = WEBHOOK.verify(body, headers)
  puts "#{headers["webhook-id"]} #{event["type"]}"
  204
rescue StandardWebhooks::WebhookVerificationError
  401
end
`,
  },
]
