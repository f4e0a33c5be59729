import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXLattice.ARXNode;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.criteria.DistinctLDiversity;
import org.deidentifier.arx.criteria.EntropyLDiversity;
import org.deidentifier.arx.criteria.EqualDistanceTCloseness;
import org.deidentifier.arx.criteria.HierarchicalDistanceTCloseness;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.criteria.PrivacyCriterion;
import org.deidentifier.arx.criteria.RecursiveCLDiversity;
import org.deidentifier.arx.metric.Metric;

/**
 * One search of ARX 3.9, several times in one process: encoding and search, as the recorded figures have it.
 *
 * Arguments: DATA ROUNDS SUPPRESS, then in any order `quasi COLUMN FILE`, `sensitive COLUMN FILE` and
 * `model KIND NUMBER NUMBER`. Prints milliseconds of each round, the first one cold, and the levels found.
 */
public final class ArxSearch {

    private static double milliseconds() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e6;
    }

    private static Hierarchy hierarchy(String file) throws Exception {
        return Hierarchy.create(file, StandardCharsets.UTF_8, ';');
    }

    private static PrivacyCriterion model(String kind, double one, double other, String column, String file)
            throws Exception {
        switch (kind) {
            case "k": return new KAnonymity((int) one);
            case "distinct": return new DistinctLDiversity(column, (int) one);
            case "entropy": return new EntropyLDiversity(column, one);
            case "recursive": return new RecursiveCLDiversity(column, other, (int) one);
            case "equal": return new EqualDistanceTCloseness(column, one);
            case "hierarchical": return new HierarchicalDistanceTCloseness(column, one, hierarchy(file));
            default: throw new IllegalArgumentException(kind);
        }
    }

    public static void main(String[] words) throws Exception {
        Data data = Data.create(words[0], StandardCharsets.UTF_8, ';');
        int rounds = Integer.parseInt(words[1]);
        List<String> quasi = new ArrayList<>();
        String sensitive = null, taxonomy = null;
        for (int at = 3; at < words.length; at += words[at].equals("model") ? 4 : 3) {
            if (words[at].equals("quasi")) {
                quasi.add(words[at + 1]);
                data.getDefinition().setAttributeType(words[at + 1], hierarchy(words[at + 2]));
            } else if (words[at].equals("sensitive")) {
                sensitive = words[at + 1];
                taxonomy = words[at + 2];
                data.getDefinition().setAttributeType(sensitive, AttributeType.SENSITIVE_ATTRIBUTE);
            }
        }
        StringBuilder spent = new StringBuilder();
        ARXNode best = null;
        for (int round = 0; round < rounds; round++) {
            ARXConfiguration wanted = ARXConfiguration.create();
            wanted.setSuppressionLimit(Double.parseDouble(words[2]));
            wanted.setQualityModel(Metric.createLossMetric(0.5, Metric.AggregateFunction.ARITHMETIC_MEAN));
            for (int at = 3; at < words.length; at += words[at].equals("model") ? 4 : 3) {
                if (words[at].equals("model")) {
                    double one = Double.parseDouble(words[at + 2]), other = Double.parseDouble(words[at + 3]);
                    wanted.addPrivacyModel(model(words[at + 1], one, other, sensitive, taxonomy));
                }
            }
            double started = milliseconds();
            ARXResult result = new ARXAnonymizer().anonymize(data, wanted);
            spent.append(round == 0 ? "" : ", ").append(String.format(Locale.ROOT, "%.3f", milliseconds() - started));
            best = result.getGlobalOptimum();
            data.getHandle().release();
        }
        StringBuilder levels = new StringBuilder();
        for (String column : quasi) {
            levels.append(levels.length() == 0 ? "" : ", ").append(best.getGeneralization(column));
        }
        System.out.println("{\"milliseconds\": [" + spent + "], \"levels\": [" + levels + "], \"score\": \""
            + best.getHighestScore() + "\"}");
    }
}
