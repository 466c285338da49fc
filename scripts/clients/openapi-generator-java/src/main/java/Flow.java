import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ProjectsApi;
import org.openapitools.client.model.ProjectRecord;
import org.openapitools.client.model.ProjectsCreateRequest;

public class Flow {
  static void must(boolean ok, String what) {
    if (!ok) throw new IllegalStateException(what);
  }

  public static void main(String[] args) throws ApiException {
    String name = System.getenv("SVC_NAME");
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("SVC_URL"));
    client.setRequestInterceptor(it -> it.header("Authorization", "Bearer " + System.getenv("SVC_TOKEN")));
    ProjectsApi api = new ProjectsApi(client);
    ProjectRecord made = api.projectsCreate("local", new ProjectsCreateRequest().name(name));
    must(made.getSlug().equals(name) && made.getDescription() == null, "the project was not created");
    try {
      api.projectsGet("local", "not-there");
      must(false, "no error for what is not there");
    } catch (ApiException error) {
      must(error.getCode() == 404, "another error than that of what is not there");
    }
  }
}
